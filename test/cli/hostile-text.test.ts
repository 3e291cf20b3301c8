import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { realServers } from '../client/real-server.ts';
import { commandIn, HOSTILE, hostile, hostileTexts, leakIn, SENT_KEY } from '../commands/hostile-text.ts';
import { EMPTY_DRAFT, LIVE_JOB } from '../commands/jobs/sample-job.ts';
import { fixture } from '../fixture.ts';
import { JobSet, listingOf } from './bulk.ts';
import hostileLines from './hostile-lines.json' with { type: 'json' };
import { type CommandLine, newHome, type Run } from './partner.ts';
import { answering, callsTo, KEY } from './servers.ts';

const KEPT = ['status', 'kind', 'window', 'remoteOption', 'publishedAt', 'expiresAt'];

/** File names can't contain NUL, `/` or lone surrogates, and are limited to 255 bytes. */
const FILE_NAME = `${HOSTILE.replace(/[\0/]|\p{Surrogate}/gu, '').slice(0, 60)}\u202e\u200b\x9b31m.json`;

describe('a hostile server, file or name', () => {
  const servers = realServers('all tests');
  let runs = 0;
  const home = fixture('all tests', newHome);

  const answered = async (status: number, body: unknown) =>
    callsTo(await servers.listen(answering(status, body)));

  /** Every other run is colored, to cover both kinds of output. */
  const run = (line: CommandLine, env: Record<string, string> = {}) =>
    home.run(line, { env: { GITHUB_ACTIONS: 'true', ...env, FORCE_COLOR: String(runs++ % 2) } });

  const assertClean = (line: CommandLine, { stdout, stderr }: Run): void => {
    const words = `partner ${JSON.stringify(line)}`;
    assert.notEqual(stdout + stderr, '', words);
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
  ] as const)
    it(`brings nothing of it to the terminal through ${name}`, async () => {
      const env = await answered(200, job);
      for (const line of [
        ...['jobs get 12', 'jobs get 12 --json', 'jobs get 12 --debug', 'jobs pause 12', 'jobs export 12'],
        ...['yaml', 'md', 'csv'].map((format) => `jobs export 12 --format ${format}`),
        ...['jobs update 12 --title Nurse', 'jobs watch 12 --until ACTIVE --for 1ms', 'jobs list --debug'],
        ...['budgets get 12', 'budgets get 12 --csv', 'budgets simulate --job 12', 'doctor'],
      ])
        assertClean(line, await run(line, env));
    });

  it('brings nothing of it to the terminal through a list of jobs or places', async () => {
    const jobs = await answered(200, {
      items: [hostile(LIVE_JOB), hostileTexts(LIVE_JOB, KEPT)],
      nextCursor: null,
    });
    const places = await answered(200, { items: hostileTexts(LIVE_JOB.locations, []) });
    for (const form of ['', ' --csv', ' --json', ' --no-truncate', ' --sort title']) {
      assertClean(form, await run(`jobs list${form}`, jobs));
      assertClean(form, await run(`locations search bost${form}`, places));
    }
  });

  it('brings nothing of it to the terminal through an error of the server', async () => {
    const error = { message: HOSTILE, fields: { [HOSTILE]: HOSTILE, title: HOSTILE } };
    for (const status of [401, 404, 409, 422, 418]) {
      const code = status === 422 ? 'VALIDATION_FAILED' : HOSTILE;
      const env = await answered(status, { error: { ...error, code } });
      for (const line of ['jobs update 12 --title Nurse', 'jobs get 12 --json', 'jobs close 12 13 --yes']) {
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
    const shown = ['jobs', 'validate', file];
    const lines = ['create', 'plan', 'apply'].map((verb) => ['jobs', verb, file]);
    for (const line of [shown, [...shown, '--format', 'github'], [...shown, '--json'], ...lines]) {
      const refused = await run(line);
      assert.notEqual(refused.code, 0, refused.stdout);
      assertClean(line, refused);
    }
  });

  it('shows no key that was typed where it does not belong, in no form, and not in a report of a bug', async () => {
    const key = 'sk_ext_9Z8y7X6w5V4u3T2s1R0q9P8o7N6m5L4k3J2i1H0g';
    for (const line of hostileLines.withKey) {
      for (const form of [[], ['--json']]) {
        const { code, stdout, stderr } = await run([...line.replace('KEY', key).split(' '), ...form]);
        assert.notEqual(code, 0, line);
        assert.ok(!`${stdout}${stderr}`.includes(key.slice(0, -4)), `${line}: ${stdout}${stderr}`);
      }
    }
  });

  it('brings nothing of it to the terminal through what is typed', async () => {
    const typed = HOSTILE.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '');
    for (const line of hostileLines.typed)
      assertClean(line, await run(line.split(' ').map((word) => word.replace('TEXT', () => typed))));
  });
});
