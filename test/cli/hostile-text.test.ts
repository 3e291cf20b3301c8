import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RealServers } from '../client/real-server.ts';
import { HOSTILE, hostile, hostileTexts, leakIn } from '../ui/views/hostile.ts';
import { EMPTY_DRAFT, LIVE_JOB } from '../ui/views/sample-job.ts';
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
    home.run(argv, { env: { ...env, FORCE_COLOR: String(runs++ % 2) } });

  const assertClean = (line: readonly string[], { stdout, stderr }: Run): void => {
    assert.notEqual(stdout + stderr, '', line.join(' '));
    for (const text of [stdout.replaceAll('\r\n', '\n'), stderr]) {
      assert.equal(leakIn(text), undefined, `partner ${line.map((word) => JSON.stringify(word)).join(' ')}`);
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
