import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RealServers } from '../client/real-server.ts';
import { commandIn, HOSTILE, hostile, hostileTexts, leakIn, SENT_KEY } from '../commands/jobs/hostile.ts';
import { EMPTY_DRAFT, LIVE_JOB } from '../commands/jobs/sample-job.ts';
import { JobSet, listingOf } from './bulk.ts';
import { type Home, newHome, type Run } from './partner.ts';

const KEY = 'sk_ext_4c1d9f3c2ab7e8d6';
const KEPT = ['status', 'kind', 'window', 'remoteOption', 'publishedAt', 'expiresAt'];

/** What a file system takes as a name: no NUL, no `/`, no lone surrogate, at most 255 bytes. */
const FILE_NAME = `${HOSTILE.replace(/[\0/]|\p{Surrogate}/gu, '').slice(0, 60)}\u202e\u200b\x9b31m.json`;

/** Everything of this reaches the screen of a command through a server that means no good. */
describe('a hostile server, file or name', () => {
  const servers = new RealServers();
  let home: Home;
  let runs = 0;
  before(async () => {
    home = await newHome();
  });
  after(() => servers.close());

  /** The environment in which every call is answered by this. */
  const answered = async (status: number, body: unknown): Promise<Record<string, string>> => {
    const server = await servers.listen((_, __, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    return { PARTNER_API_KEY: KEY, PARTNER_BASE_URL: `${server.origin}/v1` };
  };

  /** Every other line in colour: test/ui/views looks at each view both ways. */
  const run = (argv: readonly string[], env: Record<string, string> = {}): Promise<Run> =>
    home.run(argv, { env: { GITHUB_ACTIONS: 'true', ...env, FORCE_COLOR: String(runs++ % 2) } });

  const assertClean = (line: readonly string[], { stdout, stderr }: Run): void => {
    assert.notEqual(stdout + stderr, '', line.join(' '));
    const words = `partner ${line.map((word) => JSON.stringify(word)).join(' ')}`;
    for (const text of [stdout.replaceAll('\r\n', '\n'), stderr]) {
      assert.equal(leakIn(text), undefined, words);
      assert.equal(commandIn(text), undefined, words);
      for (const key of [KEY, SENT_KEY]) assert.ok(!text.includes(key), `a key: ${words}\n${text}`);
    }
  };

  for (const [name, job] of [
    ['a live job', hostileTexts(LIVE_JOB, KEPT)],
    ['a draft', hostileTexts({ ...EMPTY_DRAFT, budgets: LIVE_JOB.budgets }, KEPT)],
    ['a job of which nothing is as promised', hostile(LIVE_JOB)],
  ] as const) {
    it(`brings nothing of it to the terminal through ${name}`, async () => {
      const env = await answered(200, job);
      for (const line of [
        ['jobs', 'get', '12'],
        ['jobs', 'get', '12', '--json'],
        ['jobs', 'get', '12', '--debug'],
        ['jobs', 'pause', '12'],
        ['jobs', 'update', '12', '--title', 'Nurse'],
        ['jobs', 'watch', '12', '--until', 'ACTIVE', '--for', '1ms'],
        ['jobs', 'export', '12'],
        ['budgets', 'get', '12'],
        ['budgets', 'get', '12', '--csv'],
        ['budgets', 'simulate', '--job', '12'],
        ['jobs', 'list', '--debug'],
        ['doctor'],
      ]) {
        assertClean(line, await run(line, env));
      }
    });
  }

  it('brings nothing of it to the terminal through a list of jobs or places', async () => {
    const jobs = await answered(200, {
      items: [hostile(LIVE_JOB), hostileTexts(LIVE_JOB, KEPT)],
      nextCursor: null,
    });
    const places = await answered(200, { items: hostileTexts(LIVE_JOB.locations, []) });
    for (const form of [[], ['--csv'], ['--json'], ['--no-truncate'], ['--sort', 'title']]) {
      for (const [line, env] of [
        [['jobs', 'list', ...form], jobs],
        [['locations', 'search', 'bost', ...form], places],
      ] as const) {
        assertClean(line, await run(line, env));
      }
    }
  });

  it('brings nothing of it to the terminal through an error of the server', async () => {
    const error = { code: HOSTILE, message: HOSTILE, fields: { [HOSTILE]: HOSTILE, title: HOSTILE } };
    for (const status of [401, 404, 409, 422, 418]) {
      const env = await answered(status, {
        error: status === 422 ? { ...error, code: 'VALIDATION_FAILED' } : error,
      });
      for (const line of [
        ['jobs', 'update', '12', '--title', 'Nurse'],
        ['jobs', 'get', '12', '--json'],
        ['jobs', 'close', '12', '13', '--yes'],
      ]) {
        const refused = await run(line, env);
        assert.notEqual(refused.code, 0);
        assertClean(line, refused);
      }
    }
  });

  it('brings nothing of it to the terminal or into a report through a server that a set is applied to', async () => {
    const job = { ...hostile(LIVE_JOB), id: 12, items: [hostile(LIVE_JOB)], nextCursor: null };
    const error = {
      code: 'VALIDATION_FAILED',
      message: HOSTILE,
      fields: { [HOSTILE]: HOSTILE, title: HOSTILE },
    };
    for (const [status, body, wanted] of [
      [200, job, ['create', 'created', 'update', 'updated']],
      [422, { error }, ['create', 'failed', 'create', 'failed']],
    ] as const) {
      const set = new JobSet(await newHome());
      const env = { ...(await answered(status, body)), GITHUB_ACTIONS: 'true' };
      const actions: string[] = [];
      for (const [round, verb] of ['plan', 'apply', 'plan', 'apply'].entries()) {
        const description = `${round} x\n::set-output name=a::b\n${SENT_KEY} ##[add-mask]x`;
        await set.write('a.json', listingOf('Nurse', { description }));
        const reports = ['github', 'json=r.json', 'junit=r.xml', 'markdown=r.md'];
        const flags = [...reports.flatMap((report) => ['--report', report]), '--debug', '--create-anyway'];
        const line = ['jobs', verb, 'jobs', ...flags, ...(verb === 'apply' ? ['--yes'] : [])];
        const ended = await set.home.run(line, { env });
        assertClean(line, ended);
        for (const name of ['r.json', 'r.xml', 'r.md']) {
          const stdout = await readFile(join(set.home.path, name), 'utf8');
          assertClean([...line, name], { ...ended, stdout });
        }
        actions.push(/^\w+/.exec(ended.stdout)?.[0] ?? ended.stderr);
      }
      assert.deepEqual(actions, wanted);
    }
  });

  it('brings nothing of it to the terminal through the name of a file, or what is in it', async () => {
    const file = join(home.path, FILE_NAME);
    await writeFile(file, JSON.stringify({ ...hostileTexts(LIVE_JOB, []), [HOSTILE]: HOSTILE }));
    for (const line of [
      ['jobs', 'validate', file],
      ['jobs', 'validate', file, '--format', 'github'],
      ['jobs', 'create', file],
      ['jobs', 'plan', file],
      ['jobs', 'apply', file],
      ['jobs', 'create', `${file}.missing`],
      ['jobs', 'validate', file, '--json'],
    ]) {
      const refused = await run(line);
      assert.notEqual(refused.code, 0, refused.stdout);
      assertClean(line, refused);
    }
  });

  it('shows no key that was typed where it does not belong, in no form, and not in a report of a bug', async () => {
    const key = 'sk_ext_9Z8y7X6w5V4u3T2s1R0q9P8o7N6m5L4k3J2i1H0g';
    const lines = Object.entries(COMMANDS_WITH_A_KEY).flatMap(([name, line]) => {
      const words = line(key);
      return [[name, words] as const, [name, [...words, '--json']] as const];
    });
    for (const [name, line] of lines) {
      const { code, stdout, stderr } = await run(line);
      assert.notEqual(code, 0, name);
      assert.ok(!`${stdout}${stderr}`.includes(key.slice(0, -4)), `${name}: ${stdout}${stderr}`);
    }
  });

  it('brings nothing of it to the terminal through what is typed', async () => {
    const typed = HOSTILE.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '');
    for (const line of [
      [typed],
      ['jobs', typed],
      ['jobs', 'list', `--${typed}`],
      ['jobs', 'list', '--status', typed],
      ['jobs', 'list', '--columns', typed],
      ['jobs', 'list', '--sort', `id:${typed}`],
      ['jobs', 'get', typed],
      ['jobs', 'list', '--profile', typed],
      ['jobs', 'list', '--base-url', typed],
      ['locations', 'search', typed],
    ]) {
      assertClean(line, await run(line));
    }
  });
});

const COMMANDS_WITH_A_KEY: Readonly<Record<string, (key: string) => string[]>> = {
  command: (key) => [key],
  topic: (key) => ['jobs', key],
  argument: (key) => ['jobs', 'get', key],
  'one argument too many': (key) => ['jobs', 'list', key],
  flag: (key) => ['jobs', 'list', `--${key}`],
  'value of a flag': (key) => ['jobs', 'list', '--status', key],
  profile: (key) => ['jobs', 'list', '--profile', key],
  'base URL': (key) => ['jobs', 'list', '--base-url', `https://${key}@api.example`],
  'unknown host': (key) => ['jobs', 'list', '--base-url', key],
  duration: (key) => ['jobs', 'list', '--timeout', key],
  file: (key) => ['jobs', 'validate', `${key}.json`],
  'state file': (key) => ['jobs', 'plan', 'nowhere', '--state', key],
  report: (key) => ['jobs', 'plan', 'nowhere', '--report', key],
  guide: (key) => ['help', key],
  schema: (key) => ['schema', key],
  switch: (key) => ['auth', 'switch', key],
};
