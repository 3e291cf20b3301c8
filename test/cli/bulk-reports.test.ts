import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockState } from '../../src/bulk/state/lock.ts';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { freePort, RealServers } from '../client/real-server.ts';
import { draftSet, type JobSet, listingOf, newSet, unsettledSet } from './bulk.ts';
import { BUG, type Run } from './partner.ts';
import { parseXml } from './xml.ts';

const KEY = 'sk_ext_4c1d9f3c2ab7e8d6';

/** How a run of `jobs plan` or `jobs apply` is made to end without having done its work. */
interface Ending {
  readonly when: string;
  readonly code: ErrorCode;
  /** `plan` and `apply` unless it says otherwise. */
  readonly verbs?: readonly ('plan' | 'apply')[];
  readonly from?: () => Promise<JobSet>;
  /** Brings it about; gives the rest of the command line. */
  readonly given?: (set: JobSet) => Promise<readonly string[]>;
  readonly env?: Readonly<Record<string, string>>;
  readonly says: RegExp;
  /** What to do must be named, too. */
  readonly todo: RegExp;
}

const servers = new RealServers();
afterEach(() => servers.close());

const REPORTS = ['json=r.json', 'junit=r.xml', 'markdown=r.md', 'github=r.log'].flatMap((each) => [
  '--report',
  each,
]);

const unreachable = async () => ['jobs', '--base-url', `http://127.0.0.1:${await freePort()}/v1`];

const ENDINGS: readonly Ending[] = [
  {
    when: 'the server refuses the key',
    code: 'INVALID_SERVICE_KEY',
    env: { PARTNER_API_KEY: KEY },
    from: draftSet,
    says: /key/,
    todo: /PARTNER_API_KEY/,
  },
  {
    when: 'there is no key',
    code: 'KEY_MISSING',
    given: unreachable,
    says: /there is no key for/,
    todo: /PARTNER_API_KEY/,
  },
  {
    when: 'the key is none',
    code: 'KEY_MISSING',
    env: { PARTNER_API_KEY: 'secret of somebody' },
    says: /PARTNER_API_KEY/,
    todo: /another secret/,
  },
  {
    when: 'a CI secret is missing',
    code: 'USAGE',
    env: { PARTNER_API_KEY: '' },
    says: /PARTNER_API_KEY is set and empty/,
    todo: /give it a value/,
  },
  {
    when: 'the server cannot be reached',
    code: 'UNREACHABLE',
    given: unreachable,
    env: { PARTNER_API_KEY: KEY },
    says: /127\.0\.0\.1/,
    todo: /partner doctor/,
  },
  {
    when: 'the base URL is none',
    code: 'USAGE',
    env: { PARTNER_BASE_URL: 'example' },
    says: /PARTNER_BASE_URL/,
    todo: /https:/,
  },
  {
    when: 'the state was lost',
    code: 'JOBS_ALREADY_THERE',
    from: draftSet,
    given: async (set) => {
      await set.remove('.partner/state.json');
      return ['jobs'];
    },
    says: /3 listings are on the server already/,
    todo: /--rebuild/,
  },
  {
    when: 'the state is damaged',
    code: 'STATE_UNUSABLE',
    from: draftSet,
    given: async (set) => {
      await set.restate(() => '{"version": 1, <<<<<<<');
      return ['jobs'];
    },
    says: /state\.json/,
    todo: /./,
  },
  {
    when: 'another apply is at work',
    code: 'STATE_LOCKED',
    verbs: ['apply'],
    given: async (set) => {
      const holder = {
        pid: 42,
        host: 'ci-1',
        since: '2025-11-21T07:09:00.000Z',
        command: 'partner jobs apply',
      };
      const lock = await lockState(set.statePath, holder);
      locks.push(lock);
      return ['jobs'];
    },
    says: /apply/,
    todo: /./,
  },
  {
    when: 'a listing is invalid',
    code: 'VALIDATION_FAILED',
    given: async (set) => {
      await set.write('b.json', listingOf('Welder', { jobLevel: 'MIDDLE' }));
      return ['jobs'];
    },
    says: /1 of 3 listings is invalid; nothing was sent/,
    todo: /partner jobs validate/,
  },
  {
    when: 'a file cannot be read',
    code: 'FILE_UNREADABLE',
    given: async () => ['jobs/missing.json'],
    says: /jobs\/missing\.json/,
    todo: /path/,
  },
  {
    when: 'no file matches',
    code: 'USAGE',
    given: async () => ['jobs/*.ndjson'],
    says: /no file matches jobs\/\*\.ndjson/,
    todo: /pattern/,
  },
  {
    when: 'the saved plan has expired',
    code: 'PLAN_OUTDATED',
    verbs: ['apply'],
    given: async (set) => {
      await set.plan(['--out', 'plan.json']);
      await set.write('d.json', listingOf('Driver'));
      return ['--plan', 'plan.json'];
    },
    says: /the saved plan/,
    todo: /jobs plan/,
  },
  {
    when: 'the terms are not accepted',
    code: 'AGREEMENT_OUTDATED',
    verbs: ['apply'],
    from: async () => {
      const set = await unsettledSet();
      await set.write('a.json', listingOf('Nurse'));
      return set;
    },
    given: async () => ['jobs', '--publish'],
    says: /terms/,
    todo: /partner dashboard accept-terms/,
  },
  {
    when: 'there is a bug in the program',
    code: 'UNEXPECTED',
    given: unreachable,
    env: { PARTNER_API_KEY: KEY, NODE_OPTIONS: `--require ${BUG}` },
    says: /bug in partner/,
    todo: /report/,
  },
  {
    when: 'a flag makes no sense',
    code: 'USAGE',
    given: async () => ['jobs', '--concurrency', '0'],
    says: /--concurrency/,
    todo: /./,
  },
  {
    when: 'a flag is none',
    code: 'USAGE',
    given: async () => ['jobs', '--pubilsh'],
    says: /--pubilsh/,
    todo: /--publish/,
  },
  {
    when: 'another of its reports cannot be written',
    code: 'USAGE',
    given: async () => ['jobs', '--report', 'json=missing/r.json'],
    says: /missing\/r\.json cannot be written: there is no such directory/,
    todo: /mkdir/,
  },
  {
    when: 'a path is empty',
    code: 'USAGE',
    given: async () => [''],
    says: /a path is empty: is a variable empty\?/,
    todo: /partner jobs (?:plan|apply)/,
  },
  {
    when: 'nothing is given',
    code: 'USAGE',
    given: async () => [],
    says: /nothing to (?:plan|apply) is given/,
    todo: /partner jobs (?:plan|apply)/,
  },
];

const locks: { release(): void }[] = [];
afterEach(() => Promise.all(locks.splice(0).map((lock) => lock.release())));

const textOf = (set: JobSet, name: string): Promise<string> => readFile(join(set.home.path, name), 'utf8');

/** What each of the four reports says, as whoever reads it sees it. */
async function readReports(set: JobSet) {
  const json = JSON.parse(await textOf(set, 'r.json'));
  const elements = parseXml(await textOf(set, 'r.xml'));
  const markdown = (await textOf(set, 'r.md')).replace(/\\(.)/g, '$1');
  const github = (await textOf(set, 'r.log')).replaceAll('%25', '%');
  return { json, elements, markdown, github };
}

/** All four reports are well-formed, and name the error, its code and what to do. */
async function assertReported(set: JobSet, verb: string, { code, says, todo }: Ending): Promise<void> {
  const { json, elements, markdown, github } = await readReports(set);
  assert.deepEqual([json.version, json.command, json.error.code], [1, verb, code]);
  assert.match(json.error.message, says);
  assert.match(json.error.hint, todo);
  const { message, hint } = json.error as { message: string; hint: string };

  const failures = elements.filter(({ name, attributes }) => name === 'failure' && attributes.type === code);
  assert.equal(failures[0]?.attributes.message, message, 'junit');
  assert.ok(failures[0]?.text.includes(hint), `junit: ${failures[0]?.text}`);
  assert.ok(Number(elements[0]?.attributes.failures) > 0, 'the suites have failed');

  assert.match(markdown, new RegExp(`^## partner jobs ${verb}\n`));
  for (const part of [code, message, hint]) assert.ok(markdown.includes(part), `markdown: ${markdown}`);

  const [annotation = ''] = new RegExp(`^::error [^:]*title=${code}.*$`, 'm').exec(github) ?? [];
  for (const part of [message, hint]) assert.ok(annotation.includes(part), `github: ${github}`);
}

describe('the reports of jobs plan and jobs apply are written, and name what is wrong and what to do, where', () => {
  for (const ending of ENDINGS) {
    const { when, from = newSet, given = async () => ['jobs'], env, verbs = ['plan', 'apply'] } = ending;
    for (const verb of verbs) {
      it(`${when} (${verb})`, async () => {
        const set = await from();
        const words = await given(set);
        const run: Run = await set.home.run(['jobs', verb, ...words, ...REPORTS], { ...(env && { env }) });
        assert.notEqual(run.code, 0);
        await assertReported(set, verb, ending);
      });
    }
  }

  it('Ctrl-C stopped it while it asked the server', async () => {
    const set = await draftSet();
    let stop = (): void => {};
    const { origin } = await servers.listen(() => stop());
    await set.restate((text) => text.replace(/"server": "[^"]*"/, `"server": "${origin}/v1"`));
    const env = { PARTNER_BASE_URL: `${origin}/v1`, PARTNER_API_KEY: KEY };
    for (const verb of ['plan', 'apply']) {
      const running = set.home.start(['jobs', verb, 'jobs', ...REPORTS], { env });
      stop = () => running.child.kill('SIGINT');
      assert.equal((await running.ended).code, 130);
      await assertReported(set, verb, { when: '', code: 'INTERRUPTED', says: /interrupted/, todo: /again/ });
    }
  });
});

describe('a report that cannot be written', () => {
  it('does not hide why the run could not begin', async () => {
    const set = await newSet();
    const lost = ['--report', 'json=/dev/full', '--report', 'markdown=r.md'];
    const run = await set.home.run(['jobs', 'apply', 'jobs/missing.json', ...lost, '--json']);
    assert.equal(run.code, 2);
    assert.equal((run.json() as { error: { code: string } }).error.code, 'FILE_UNREADABLE');
    assert.match(run.stderr, /the report \/dev\/full cannot be written/);
    assert.match(await textOf(set, 'r.md'), /FILE\\_UNREADABLE/);
  });

  it('is named in the others, beside what was done', async () => {
    const set = await newSet();
    const { code } = await set.apply(['--report', 'json=/dev/full', '--report', 'junit=r.xml']);
    assert.equal(code, 1);
    const elements = parseXml(await textOf(set, 'r.xml'));
    assert.equal(elements.filter(({ name }) => name === 'system-out').length, 3, 'three jobs were made');
    assert.ok(elements.some(({ attributes }) => attributes.type === 'OUTPUT_UNWRITABLE'));
  });
});

it('a report of a run that could not begin never takes the place of a listing', async () => {
  const set = await newSet();
  const before = await textOf(set, 'jobs/a.json');
  for (const words of [
    ['jobs', '--report', 'json=jobs/a.json'],
    ['jobs', '--report', 'json=jobs/a.json', '--pubilsh'],
    ['jobs/a.json', '--report=json=jobs/a.json', '--concurrency', '0'],
  ]) {
    assert.equal((await set.home.run(['jobs', 'plan', ...words])).code, 2);
    assert.equal(await textOf(set, 'jobs/a.json'), before);
  }
});
