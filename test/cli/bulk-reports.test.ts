import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockState } from '../../src/bulk/state/lock.ts';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { RealServers } from '../client/real-server.ts';
import { draftSet, type JobSet, listingOf, newSet } from './bulk.ts';
import { BUG } from './partner.ts';
import { callsTo, KEY } from './servers.ts';
import { parseXml } from './xml.ts';

const servers = new RealServers();
const locks: { release(): void }[] = [];
afterEach(async () => {
  await servers.close();
  await Promise.all(locks.splice(0).map((lock) => lock.release()));
});

const REPORTS =
  '--report json=r.json --report junit=r.xml --report markdown=r.md --report github=r.log'.split(' ');

const textOf = (set: JobSet, name: string): Promise<string> => readFile(join(set.home.path, name), 'utf8');

async function assertReported(set: JobSet, verb: string, code: ErrorCode, says: RegExp, todo = /./) {
  const json = JSON.parse(await textOf(set, 'r.json'));
  const elements = parseXml(await textOf(set, 'r.xml'));
  // Each format escapes differently, so escapes are removed before comparing.
  const markdown = (await textOf(set, 'r.md')).replace(/\\(.)/g, '$1');
  const github = (await textOf(set, 'r.log')).replaceAll('%25', '%');
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

interface Given {
  readonly verbs?: readonly ('plan' | 'apply')[];
  readonly from?: () => Promise<JobSet>;
  readonly prepare?: (set: JobSet) => Promise<unknown>;
  readonly line?: string;
  readonly env?: Readonly<Record<string, string>>;
}

describe('the reports of jobs plan and jobs apply are written, and name what is wrong and what to do, where', () => {
  function itReports(when: string, code: ErrorCode, says: RegExp, todo: RegExp, given: Given): void {
    const { from = newSet, prepare, line = 'jobs', env = {}, verbs = ['plan', 'apply'] } = given;
    for (const verb of verbs)
      it(`${when} (${verb})`, async () => {
        const set = await from();
        await prepare?.(set);
        const run = await set.home.run(['jobs', verb, ...line.split(' '), ...REPORTS], { env });
        assert.notEqual(run.code, 0);
        await assertReported(set, verb, code, says, todo);
      });
  }

  const refused = { from: draftSet, env: { PARTNER_API_KEY: KEY } };
  itReports('the server refuses the key', 'INVALID_SERVICE_KEY', /key/, /PARTNER_API_KEY/, refused);
  const keyless = { env: { PARTNER_BASE_URL: 'https://api.example.com/v1' } };
  itReports('there is no key', 'KEY_MISSING', /no key for/, /PARTNER_API_KEY/, keyless);
  const empty = { env: { PARTNER_API_KEY: '' } };
  itReports(
    'a CI secret is missing',
    'USAGE',
    /PARTNER_API_KEY is set but empty/,
    /set it to a value/,
    empty,
  );
  const lost: Given = {
    from: draftSet,
    prepare: async (set) => {
      await set.remove('.partner/state.json');
      await set.home.must('engine clock advance 24h');
    },
  };
  const there = /identical jobs for 3 listings already exist on the server/;
  itReports('the state was lost', 'JOBS_ALREADY_THERE', there, /--rebuild/, lost);
  const locked: Given = {
    verbs: ['apply'],
    prepare: async (set) => {
      const since = '2025-11-21T07:09:00.000Z';
      const holder = { pid: 42, host: 'ci-1', since, command: 'partner jobs apply' };
      locks.push(await lockState(set.statePath, holder));
    },
  };
  itReports('another apply is at work', 'STATE_LOCKED', /apply/, /./, locked);
  const invalid: Given = {
    prepare: (set) => set.write('b.json', listingOf('Welder', { jobLevel: 'MIDDLE' })),
  };
  const one = /1 of 3 listings is invalid\. Nothing was sent/;
  itReports('a listing is invalid', 'VALIDATION_FAILED', one, /partner jobs validate/, invalid);
  const missing = { line: 'jobs/missing.json' };
  itReports('a file cannot be read', 'FILE_UNREADABLE', /jobs\/missing\.json/, /path/, missing);
  const outdated: Given = {
    verbs: ['apply'],
    prepare: async (set) => {
      await set.plan('--out plan.json');
      await set.write('d.json', listingOf('Driver'));
    },
    line: '--plan plan.json',
  };
  itReports('the saved plan has expired', 'PLAN_OUTDATED', /the saved plan/, /jobs plan/, outdated);
  const env = { ...callsTo({ origin: 'http://127.0.0.1:4650' }), NODE_OPTIONS: `--require ${BUG}` };
  itReports('there is a bug in the program', 'UNEXPECTED', /bug in partner/, /report/, { env });
  itReports('a flag is unknown', 'USAGE', /--pubilsh/, /--publish/, { line: 'jobs --pubilsh' });
  const unwritable = { line: 'jobs --report json=missing/r.json' };
  const nowhere = /can't write the report missing\/r\.json: no such directory/;
  itReports("another of its can't write reports", 'USAGE', nowhere, /mkdir/, unwritable);

  it('Ctrl-C stopped it while it asked the server', async () => {
    const set = await draftSet();
    let stop = (): void => {};
    const server = await servers.listen(() => stop());
    await set.restate((text) => text.replace(/"server": "[^"]*"/, `"server": "${server.origin}/v1"`));
    for (const verb of ['plan', 'apply']) {
      const running = set.home.start(['jobs', verb, 'jobs', ...REPORTS], { env: callsTo(server) });
      stop = () => running.child.kill('SIGINT');
      assert.equal((await running.ended).code, 130);
      await assertReported(set, verb, 'INTERRUPTED', /interrupted/, /again/);
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
    assert.match(run.stderr, /can't write the report \/dev\/full/);
    assert.match(await textOf(set, 'r.md'), /FILE\\_UNREADABLE/);
  });

  it('is named in the others, beside what was done', async () => {
    const set = await newSet();
    const { code } = await set.apply('--report json=/dev/full --report junit=r.xml');
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
