import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RealServers } from '../client/real-server.ts';
import { fixture } from '../fixture.ts';
import { newHome, type Run } from './partner.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures/import', import.meta.url));

const FEEDS = [
  ...['greenhouse.json', 'greenhouse-questions.json', 'lever.json', 'ashby.json', 'workable.json'],
  ...['recruitee.json', 'personio.xml', 'indeed.xml', 'schema-org.json', 'schema-org.html'],
];

interface Item {
  id: string;
  file: string;
  status: string;
  taken: string[];
  guessed: { field: string }[];
  missing: { field: string }[];
  changed: string[];
  conflicts: { field: string; file: unknown; source: unknown }[];
  problem?: string;
}

interface Imported {
  code: number | null;
  items: Item[];
  emptied: string[];
  stderr: string;
}

function posting(id: number, title: string, more: object = {}) {
  return {
    id,
    title,
    content:
      '&lt;p&gt;Nights.&lt;/p&gt;&lt;h3&gt;Requirements&lt;/h3&gt;&lt;ul&gt;&lt;li&gt;A license&lt;/li&gt;&lt;/ul&gt;',
    absolute_url: `https://boards.greenhouse.io/clinic/jobs/${id}`,
    location: { name: 'Austin, TX' },
    ...more,
  };
}

describe('jobs import', () => {
  const path = (name: string): string => join(home.path, 'jobs', name);
  const textOf = (name: string): string => fs.readFileSync(path(name), 'utf8');
  const files = () => fs.readdirSync(join(home.path, 'jobs')).filter((name) => !name.startsWith('.'));

  const home = fixture('each test', newHome);

  async function board(...jobs: unknown[]): Promise<void> {
    await home.file('board.json', { jobs, meta: { total: jobs.length } });
  }

  async function imported(...flags: string[]): Promise<Imported> {
    const run = await home.run(['jobs', 'import', 'board.json', '--out', 'jobs', '--json', ...flags]);
    const { items = [], emptied = [] } = run.json() as Partial<Imported>;
    return { code: run.code, items, emptied, stderr: run.stderr };
  }

  const statuses = ({ code, items }: Imported) => [
    code,
    ...items.map(({ file, status }) => `${file} ${status}`),
  ];

  function edit(name: string, from: string | RegExp, to: string): void {
    const before = textOf(name);
    assert.notEqual(before.replace(from, to), before);
    fs.writeFileSync(path(name), before.replace(from, to));
  }

  it('writes files that `validate --draft` takes, for every system, and says what `validate` then asks a person for', async () => {
    for (const feed of FEEDS) {
      const run = await home.run(['jobs', 'import', join(FIXTURES, feed), '--out', feed, '--json']);
      assert.ok(run.code === 0 || run.code === 9, `${feed}: ${run.stderr}${run.stdout}`);
      const { items } = run.json() as Imported;
      assert.ok(items.length >= (feed === 'greenhouse-questions.json' ? 1 : 10), feed);
      const draft = await home.run(['jobs', 'validate', feed, '--draft']);
      assert.equal(draft.code, 0, draft.stdout);
      const live = await home.run(['jobs', 'validate', feed, '--json']);
      const { findings } = live.json() as { findings: { file: string; field: string; level: string }[] };
      const asked = findings
        .filter(({ level }) => level === 'error')
        .map(({ file, field }) => `${file} ${field}`);
      const left = items.flatMap(({ file, missing }) =>
        missing.map(({ field }) => `${join(feed, file)} ${field}`),
      );
      for (const gap of asked) assert.ok(left.includes(gap), `${gap} is not said to be left`);
      assert.ok(
        items.every(({ missing }) => missing.some(({ field }) => field.startsWith('bid'))),
        feed,
      );
    }
  });

  it('brings what the source has changed into edited files, and reports what both sides changed until that is settled', async () => {
    await board(posting(1, 'Nurse'), posting(2, 'Cook'));
    assert.deepEqual(statuses(await imported()), [0, 'nurse.yaml new', 'cook.yaml new']);
    assert.deepEqual(statuses(await imported()), [0, 'nurse.yaml unchanged', 'cook.yaml unchanged']);
    edit('nurse.yaml', '# Posting', '# Ask Jo first\n# Posting');
    edit('nurse.yaml', 'kind: DESIRED', 'kind: REQUIRED # by law');
    edit('nurse.yaml', /# bidPer.*/, 'bidPerQualifiedApplicantCents: 1500');
    const before = textOf('nurse.yaml');
    const content =
      '&lt;p&gt;Days.&lt;/p&gt;&lt;h3&gt;Requirements&lt;/h3&gt;&lt;ul&gt;&lt;li&gt;Two licenses&lt;/li&gt;&lt;/ul&gt;';
    await board(posting(1, 'Night nurse', { content }), posting(2, 'Cook'));
    const again = await imported();
    assert.deepEqual(statuses(again), [9, 'nurse.yaml conflict', 'cook.yaml unchanged']);
    const [nurse] = again.items;
    assert.deepEqual(nurse?.changed, ['title', 'description']);
    const [{ field, file, source } = {}, ...others] = nurse?.conflicts ?? [];
    assert.deepEqual([field, others], ['qualifications', []]);
    assert.match(JSON.stringify([file, source]), /A license.*REQUIRED.*Two licenses.*DESIRED/);
    const changed = before.replace('title: Nurse', 'title: Night nurse').replace('Nights.', 'Days.');
    assert.equal(textOf('nurse.yaml'), changed.replace('- A license', '- Two licenses'));
    assert.deepEqual(statuses(await imported()).slice(0, 2), [9, 'nurse.yaml conflict']);
    assert.deepEqual(statuses(await imported('--keep-edits')).slice(0, 2), [0, 'nurse.yaml unchanged']);
    assert.deepEqual(statuses(await imported()).slice(0, 2), [0, 'nurse.yaml unchanged']);
    assert.match(textOf('nurse.yaml'), /kind: REQUIRED # by law/);
  });

  it('reports a posting that is gone, and removes its file with --prune once somebody has agreed', async () => {
    await board(posting(1, 'Nurse'), posting(2, 'Cook'));
    await imported();
    await board(posting(2, 'Cook'));
    assert.deepEqual(statuses(await imported()), [0, 'cook.yaml unchanged', 'nurse.yaml gone']);
    const asked = await home.run('jobs import board.json --out jobs --prune');
    assert.equal(asked.code, 2);
    assert.match(
      asked.stderr,
      /Delete files in jobs whose postings no longer exist: [\w-]+\.yaml\\?[\s\S]*--yes/,
    );
    assert.deepEqual(files(), ['cook.yaml', 'nurse.yaml']);
    const expected = [0, 'cook.yaml unchanged', 'nurse.yaml removed'];
    assert.deepEqual(statuses(await imported('--prune', '--dry-run')), expected);
    assert.deepEqual(files(), ['cook.yaml', 'nurse.yaml']);
    const wanted = [0, 'cook.yaml unchanged', 'nurse.yaml removed'];
    assert.deepEqual(statuses(await imported('--prune', '--yes')), wanted);
    assert.deepEqual(files(), ['cook.yaml']);
    assert.deepEqual(statuses(await imported('--prune', '--yes')), [0, 'cook.yaml unchanged']);
  });

  it('removes nothing where a source is empty, incomplete, cannot be read, or is not named', async () => {
    await board(posting(1, 'Nurse'));
    await imported();
    await home.file('board.json', { jobs: [posting(2, 'Cook')], meta: { total: 2 } });
    const part = await imported('--prune', '--yes');
    assert.deepEqual(statuses(part), [9, 'cook.yaml new']);
    assert.match(part.stderr, /board\.json contains only 1 of 2 postings/);
    await board();
    const empty = await imported('--prune', '--yes');
    assert.deepEqual([empty.code, empty.items, empty.emptied], [9, [], ['board.json']]);
    await home.file('board.json', '{ "jobs": [');
    assert.equal((await imported('--prune', '--yes')).code, 3);
    await home.file('other.json', { jobs: [posting(3, 'Driver')], meta: { total: 1 } });
    const other = await home.run('jobs import other.json --out jobs --prune --yes');
    assert.equal(other.code, 0, other.stderr);
    assert.equal((await home.run('jobs import no-such.json --out jobs --prune --yes')).code, 2);
    assert.deepEqual(files(), ['cook.yaml', 'driver.yaml', 'nurse.yaml']);
  });

  it('follows a file that was renamed, and leaves out one that was deleted until it is asked for', async () => {
    await board(posting(1, 'Nurse'), posting(2, 'Cook'));
    await imported();
    fs.renameSync(path('nurse.yaml'), path('our-nurse.yml'));
    fs.rmSync(path('cook.yaml'));
    await board(posting(1, 'Night nurse'), posting(2, 'Head cook'));
    assert.deepEqual(statuses(await imported()), [0, 'our-nurse.yml changed', 'cook.yaml deleted']);
    assert.deepEqual(files(), ['our-nurse.yml']);
    const expected = [0, 'our-nurse.yml unchanged', 'head-cook.yaml new'];
    assert.deepEqual(statuses(await imported('--restore')), expected);
  });

  it('finds its files again without its state, and overwrites nothing then; a damaged state is an error with its line', async () => {
    await board(posting(1, 'Nurse'), posting(2, 'Cook'));
    await imported();
    const state = path('.partner/import.json');
    const text = fs.readFileSync(state, 'utf8');
    for (const [wrong, message] of [
      [text.slice(0, -3), /import\.json, line 6/],
      [text.replace('nurse.yaml', '../nurse.yaml'), /line 4: file: must be a file in the directory/],
      [
        text.replace('"version": 1', '"version": 2'),
        /line 2: version: .* a newer release may have written the file/,
      ],
    ] as const) {
      fs.writeFileSync(state, wrong);
      const { code, stdout } = (await home.run('jobs import board.json --out jobs --json')) as Run;
      assert.equal(code, 2);
      assert.match(stdout, message);
    }
    fs.rmSync(state);
    edit('cook.yaml', 'title: Cook', 'title: Our cook');
    const before = textOf('cook.yaml');
    const again = await imported();
    assert.deepEqual(statuses(again), [9, 'nurse.yaml unchanged', 'cook.yaml conflict']);
    assert.deepEqual(again.items[1]?.conflicts, [{ field: 'title', file: 'Our cook', source: 'Cook' }]);
    assert.equal(textOf('cook.yaml'), before);
  });

  it('takes another name where a file is somebody else’s, and names that every file system can hold', async () => {
    await board(posting(1, 'Nurse'));
    await imported();
    await home.file('jobs/COOK.yaml', 'title: Ours\n');
    const titles = [
      'Cook',
      '../../etc/passwd',
      'CON',
      'Straße & Café',
      '夜勤',
      'x'.repeat(300),
      '.hidden',
      '_defaults',
      'Nurse',
      'nurse!',
    ];
    await board(...titles.map((title, at) => posting(at + 1, title)));
    const { code, items } = await imported();
    assert.equal(code, 0);
    assert.deepEqual(
      items.map(({ file }) => file),
      [
        'nurse.yaml',
        'etc-passwd.yaml',
        'job-con.yaml',
        'strasse-cafe.yaml',
        'job.yaml',
        `${'x'.repeat(60)}.yaml`,
        'hidden.yaml',
        'defaults.yaml',
        'nurse-9.yaml',
        'nurse-10.yaml',
      ],
    );
    assert.equal(textOf('COOK.yaml'), 'title: Ours\n');
    assert.deepEqual(
      fs.readdirSync(home.path).sort(),
      ['board.json', 'config', 'data', 'jobs'].filter((name) => fs.existsSync(join(home.path, name))),
    );
  });

  it('leaves nothing to a person that a _defaults.yaml gives', async () => {
    await board(posting(1, 'Nurse', { location: { name: 'Haus Nord' } }));
    const left = async () => (await imported()).items[0]?.missing.map(({ field }) => field);
    assert.match(String(await left()), /bidPerQualifiedApplicantCents/);
    const given =
      'bidPerQualifiedApplicantCents: 1500\njobType: FULL_TIME\nplaces: { Haus Nord: "Austin, TX" }\n';
    fs.writeFileSync(path('_defaults.yaml'), given);
    const still = String(await left());
    assert.match(still, /jobLevel/);
    assert.doesNotMatch(still, /bid|jobType/);
    assert.match(textOf('nurse.yaml'), /^locations:\n.*Austin/m);
  });

  it('leaves a file that cannot be read any more, says why, and does the others', async () => {
    await board(posting(1, 'Nurse'), posting(2, 'Cook'));
    await imported();
    edit('nurse.yaml', 'title: Nurse', 'title: [Nurse');
    const before = textOf('nurse.yaml');
    await board(posting(1, 'Night nurse'), posting(2, 'Head cook'));
    const again = await imported();
    assert.deepEqual(statuses(again), [9, 'nurse.yaml unreadable', 'cook.yaml changed']);
    assert.match(String(again.items[0]?.problem), /^line 5: unclosed \[ or \{ above$/);
    assert.equal(textOf('nurse.yaml'), before);
  });

  it('takes the same posting of two sources once, and a feed on stdin', async () => {
    await board(posting(1, 'Nurse'));
    const copied = await home.file('copy.json', { jobs: [posting(1, 'Nurse'), posting(2, 'Cook')] });
    const both = await home.must<Imported>(`jobs import board.json ${copied} --out jobs`);
    const ids = both.items.map(({ id }) => id);
    assert.deepEqual(ids, ['greenhouse:1', 'greenhouse:2']);
    const piped = await home.run('jobs import - --out piped', {
      stdin: fs.readFileSync(join(home.path, 'board.json')),
    });
    assert.equal(piped.code, 0, piped.stderr);
    assert.match(piped.stdout, /^new\tnurse\.yaml\t/);
  });

  it('reads an address without our key, although there is one, and tells one that is gone', async () => {
    const servers = new RealServers();
    const server = await servers.listen(({ url }, _, response) =>
      url === '/board' ? response.end(JSON.stringify([posting(1, 'Nurse')])) : response.writeHead(404).end(),
    );
    const env = { PARTNER_API_KEY: 'sk_ext_a_key_that_stays_here', PARTNER_BASE_URL: `${server.origin}/v1` };
    const read = await home.run(`jobs import ${server.origin}/board --out jobs`, { env });
    assert.deepEqual([read.code, files()], [0, ['nurse.yaml']]);
    const gone = await home.run(`jobs import ${server.origin}/none --out jobs`, { env });
    assert.deepEqual(
      [gone.code, gone.stderr.includes(`${server.origin}/none returned status 404`)],
      [7, true],
    );
    assert.equal(server.requests.length, 2);
    assert.doesNotMatch(JSON.stringify(server.requests), /sk_ext|authorization|cookie/i);
    await servers.close();
    assert.equal((await home.run(`jobs import ${server.origin}/board --out jobs --timeout 2s`)).code, 8);
  });

  it('refuses an empty word, as of a variable that is not set', async () => {
    for (const argv of [
      ['', '--out', 'jobs'],
      ['board.json', '--out', ''],
    ]) {
      const { code, stderr } = await home.run(['jobs', 'import', ...argv]);
      assert.deepEqual([code, /check your shell variables/.test(stderr)], [2, true]);
    }
  });

  it('writes JSON and Markdown that say the same, and edits them as well', async () => {
    for (const format of ['json', 'md']) {
      await board(posting(1, 'Nurse'));
      const flags = ['--out', format, '--format', format];
      await home.must(['jobs', 'import', 'board.json', ...flags]);
      await board(posting(1, 'Night nurse'));
      const { items } = await home.must<Imported>(['jobs', 'import', 'board.json', ...flags]);
      const actual = items.map(({ file, changed }) => [file, changed]);
      assert.deepEqual(actual, [[`nurse.${format}`, ['title']]]);
      assert.equal((await home.run(`jobs validate ${format} --draft`)).code, 0);
    }
  });

  it('ended by Ctrl-C leaves whole files, and the next import does the rest', async () => {
    await board(...Array.from({ length: 200 }, (_, at) => posting(at + 1, `Nurse ${at + 1}`)));
    const directory = join(home.path, 'jobs');
    fs.mkdirSync(directory);
    const changes = fs.watch(directory);
    const { child, ended } = home.start('jobs import board.json --out jobs');
    await Promise.race([once(changes, 'change'), ended]);
    changes.close();
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    assert.equal(code, 130, stderr);
    const written = files();
    assert.ok(written.length > 0 && written.length < 200, `${written.length} files`);
    const remembered = JSON.parse(textOf('.partner/import.json')) as { postings: object };
    assert.equal(Object.keys(remembered.postings).length, written.length);
    const again = await imported();
    assert.equal(again.code, 0);
    assert.equal(again.items.filter(({ status }) => status === 'unchanged').length, written.length);
    assert.equal(files().length, 200);
  });
});
