import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { realServers } from '../client/real-server.ts';
import { fixture } from '../fixture.ts';
import { EXAMPLES, newHome } from './partner.ts';
import { terminals } from './terminal.ts';

const SERVER = 'https://api.example.com/v1';
const FEED = join(EXAMPLES, 'import/greenhouse.json');

type Initialized = Readonly<Record<'written' | 'kept' | 'steps' | 'next', readonly string[]>>;

describe('init', () => {
  const home = fixture('each test', newHome);
  const servers = realServers('each test');
  const openTerminal = terminals();

  const textOf = (path: string): string => readFileSync(join(home.path, path), 'utf8');
  const exampleOf = (path: string): string => readFileSync(join(EXAMPLES, 'ci', path), 'utf8');
  const init = (...flags: string[]) => home.must<Initialized>(['init', ...flags]);
  const isEmpty = () => ['jobs', '.github', 'sub/jobs'].every((name) => !existsSync(join(home.path, name)));

  it('writes examples/ci as it is. Run again, it restores what is missing and keeps the rest', async () => {
    for (const [ci, files] of [
      ['github', { '.github/workflows/jobs.yml': 'github-actions.yml' }],
      ['gitlab', { '.gitlab-ci.yml': 'gitlab-ci.yml', '.gitlab/jobs.yml': 'gitlab-jobs.yml' }],
    ] as const) {
      const { steps } = await init('--from', 'none', '--ci', ci);
      const written = {
        'jobs/_defaults.yaml': 'jobs/_defaults.yaml',
        'jobs/README.md': 'jobs/README.md',
        ...files,
      };
      for (const [path, example] of Object.entries(written))
        assert.equal(textOf(path), exampleOf(example), path);
      for (const name of ['PARTNER_API_KEY', 'PARTNER_BASE_URL'])
        assert.match(steps.join('\n'), RegExp(name));
    }
    writeFileSync(join(home.path, 'jobs/_defaults.yaml'), 'jobLevel: MID\n');
    const { written, kept } = await init('--ci', 'github');
    assert.deepEqual([written.length, kept.length], [0, 5]);
    assert.equal(textOf('jobs/_defaults.yaml'), 'jobLevel: MID\n');
  });

  it('sets the server and the branch in the workflow, and never a key or a URL with a token', async () => {
    mkdirSync(join(home.path, '.git'));
    writeFileSync(join(home.path, '.git/HEAD'), 'ref: refs/heads/trunk\n');
    const { origin } = await servers.listen((_, __, response) => response.end(readFileSync(FEED)));
    const env = { PARTNER_BASE_URL: SERVER, PARTNER_API_KEY: 'sk_ext_4c1d9f3c2ab7e8d6' };
    const argv = ['init', '--ci', 'github', '--from'];
    await home.must([...argv, `${origin}/feed?token=4c1d9f3c`], { env });
    const [jobs, nightly] = ['jobs', 'import'].map((name) => textOf(`.github/workflows/${name}.yml`));
    const example = exampleOf('github-actions.yml');
    const [, variable = ''] = /PARTNER_BASE_URL: (.*)/.exec(example) ?? [];
    assert.equal(
      jobs?.replaceAll(`'${SERVER}'`, () => variable).replaceAll('trunk', 'main'),
      example.replaceAll('jobs --publish', 'jobs').replace('validate jobs', '$& --draft'),
    );
    assert.match(nightly ?? '', /IMPORT_SOURCE: \$\{\{ vars\.IMPORT_SOURCE \}\}/);
    assert.doesNotMatch(`${jobs}${nightly}`, /4c1d9f3c/);
    const cwd = join(home.path, 'plain');
    mkdirSync(join(cwd, '.git'), { recursive: true });
    await home.must(['init', '--ci', 'gitlab', '--from', `${origin}/feed`], { cwd });
    assert.ok(textOf('plain/.gitlab/jobs.yml').includes(`IMPORT_SOURCE: '${origin}/feed'`));
  });

  it('imports a saved feed, copies tables and job files with what they share, and both are valid', async () => {
    const feed = await init('--from', FEED, '--ci', 'github');
    assert.ok(existsSync(join(home.path, 'jobs/head-roaster.yaml')));
    const workflow = readFileSync(join(home.path, '.github/workflows/jobs.yml'), 'utf8');
    assert.match(workflow, /jobs validate jobs --draft/);
    assert.doesNotMatch(workflow, /jobs (?:plan|apply) jobs --publish/);
    assert.deepEqual(feed.next, ['partner jobs validate jobs --draft', 'partner jobs plan jobs']);
    for (const [source, file] of [
      ['shared-defaults', 'baker.yaml'],
      ['formats/jobs.xlsx', 'jobs.xlsx'],
    ] as const) {
      const cwd = join(home.path, file);
      mkdirSync(cwd);
      const { written } = await home.must<Initialized>(['init', '--from', join(EXAMPLES, source)], { cwd });
      assert.ok(written.includes(`jobs/${file}`));
      assert.equal((await home.run('jobs validate jobs', { cwd })).code, 0);
    }
  });

  it('keeps exported drafts as drafts, and names the command that moves their state', async () => {
    await home.must('jobs create --title Nurse');
    await home.must('jobs export --out jobs');
    const { steps, next } = await init('--ci', 'github');
    assert.match(
      textOf('.github/workflows/jobs.yml'),
      /jobs validate jobs --draft[\s\S]*jobs plan jobs --repost/,
    );
    assert.match(steps.join('\n'), /`partner state move git:partner-state jobs`/);
    for (const line of next) assert.equal((await home.run(line.replace(/^partner /, ''))).code, 0, line);
  });

  it('writes nothing if it stops', async () => {
    mkdirSync(join(home.path, '.git'));
    mkdirSync(join(home.path, 'sub'));
    writeFileSync(join(home.path, 'broken.json'), '{ "jobs": [');
    for (const [line, cwd, code, message] of [
      ['init', '.', 2, /pass --from PATH/],
      ['init --from none --ci github', 'sub', 2, /only from the root directory/],
      ['init --from greenhous:acme', '.', 2, /did you mean greenhouse:acme/],
      ['init --from missing.csv', '.', 2, /no such file: missing\.csv/],
      ['init --from broken.json', '.', 3, /broken\.json:1:12/],
      ['init --from none --base-url http://api.example.com/v1', '.', 2, /plain HTTP/],
    ] as const) {
      const run = await home.run(line, { cwd: join(home.path, cwd) });
      assert.equal(run.code, code, `${line}: ${run.stderr}`);
      assert.match(run.stderr, message);
    }
    assert.ok(isEmpty());
  });

  it('asks for postings, CI and server. Ctrl-C at the last question leaves nothing', async () => {
    const terminal = await openTerminal({ home, columns: 60 });
    await terminal.start('partner init');
    for (const [question, answer] of [
      [/Where are your postings\?/, 'none'],
      [/Which CI system\?/, ''],
    ] as const) {
      await terminal.shows(question);
      await terminal.type(`${answer}\r`);
    }
    await terminal.shows(/Which server do they go to\?/);
    await terminal.interrupt();
    assert.ok(isEmpty());
  });
});
