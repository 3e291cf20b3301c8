import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { lockState } from '../../src/bulk/state/lock.ts';
import { ERRORS, type ErrorCode, errorRow } from '../../src/contract/errors.ts';
import { EXIT } from '../../src/contract/exit-codes.ts';
import type { FileLock } from '../../src/files/file-lock.ts';
import { freePort, RealServers } from '../client/real-server.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { withCard, withDrafts, withEngine, withLiveJob, withTerms } from './homes.ts';
import { BUG, type Home, newHome, type Run, type Running, type RunOptions } from './partner.ts';

/*
 * cli.md, "Exit codes": each is reached on the built binary in a process of its own, the same with `--json` and
 * without. What ends with a code that was reached before, and leaves no call open that could keep a process from
 * its end, is run where the bundle is loaded already.
 */

const KEY = 'sk_ext_4c1d9f3c2ab7e8d6';

type Answerer = Parameters<RealServers['listen']>[0];

interface Failure {
  /** What is done, as a test's name says it. */
  readonly when: string;
  readonly code: ErrorCode;
  readonly argv: readonly string[] | ((home: Home) => Promise<readonly string[]>);
  /** The home it is done in; a copy for each run. */
  readonly from?: () => Promise<Home>;
  /** Whether a process of its own is needed to show it. */
  readonly alone?: boolean;
  /** The server that is called, if one is. */
  readonly answer?: Answerer;
  readonly options?: RunOptions;
  /** What the message or the next step must say. */
  readonly says?: RegExp;
}

const servers = new RealServers();
afterEach(() => servers.close());

/** Runs a command line in both forms; gives what both have in common. */
async function bothWays(failure: Failure): Promise<{ text: Run; document: ErrorDocument }> {
  const { argv, from = newHome, answer, options, alone = false } = failure;
  const url = answer === undefined ? undefined : (await servers.listen(answer)).origin;
  const [text, json] = await Promise.all(
    [[], ['--json']].map(async (form) => {
      const home = await from();
      const words = [...(typeof argv === 'function' ? await argv(home) : argv), ...form];
      const where = url === undefined ? [] : ['--base-url', `${url}/v1`];
      const env: Record<string, string> = url === undefined ? {} : { PARTNER_API_KEY: KEY };
      return namelessly(home, await home.run([...words, ...where], { env, ...options, alone }));
    }),
  );
  assert.ok(text && json);
  assert.equal(json.code, text.code, 'the same code with --json and without');
  for (const { stderr } of [text, json]) assert.doesNotMatch(stderr, /\n\s+at /, 'no stack trace');
  return { text, document: json.json() as ErrorDocument };
}

/** The run with `~` for its home, so that two of them can be compared. */
function namelessly(home: Home, run: Run): Run {
  const nameless = (text: string): string => text.replaceAll(home.path, '~');
  const [stdout, stderr] = [nameless(run.stdout), nameless(run.stderr)];
  return { ...run, stdout, stderr, json: () => JSON.parse(nameless(JSON.stringify(run.json()))) };
}

interface ErrorDocument {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly fields?: Readonly<Record<string, string>>;
    readonly status?: number;
    readonly hint?: string;
  };
}

/** Holds a failure to its row of the error table and to cli.md, "Output". */
async function assertFails(failure: Failure): Promise<void> {
  const { text, document } = await bothWays(failure);
  const { error } = document;
  assert.deepEqual(Object.keys(document), ['error']);
  assert.equal(error.code, failure.code);
  assert.equal(text.code, ERRORS[failure.code].exit);
  assert.equal(text.stdout, '', 'without --json nothing is on stdout');
  assert.ok(
    text.stderr.includes(`error: ${error.message}\n`),
    `the same message in both forms: ${text.stderr}`,
  );
  const lines = text.stderr.trimEnd().split('\n');
  const next = lines.find((line) => line.startsWith('→ '))?.slice(2);
  assert.equal(next, error.hint, 'the same next step in both forms');
  assert.ok(next !== undefined || error.fields !== undefined, `nothing says what to do: ${text.stderr}`);
  for (const field of Object.keys(error.fields ?? {})) assert.ok(text.stderr.includes(field), field);
  if (failure.says)
    assert.match(`${error.message} ${JSON.stringify(error.fields)} ${error.hint}`, failure.says);
}

const reached = new Set<number>();

function itFails(failure: Failure): void {
  const { exit } = errorRow(failure.code);
  const alone = failure.alone || !reached.has(exit);
  reached.add(exit);
  it(`${failure.when} is ${failure.code}, exit ${exit}, with --json and without`, () =>
    assertFails({ ...failure, alone }));
}

const springfieldIn = (stateProvince: string, index: number): object => ({
  locationId: 11 + index,
  displayName: `Springfield, ${stateProvince}, United States`,
  city: 'Springfield',
  stateProvince,
  country: 'United States',
});

const listing = (home: Home, changes: object = {}): Promise<string> =>
  home.file('listing.json', { ...COMPLETE_LISTING, ...changes });

describe('a command line that cannot be carried out', () => {
  const usage: readonly Failure[] = [
    {
      when: 'an unknown flag',
      code: 'USAGE',
      argv: ['jobs', 'list', '--stauts', 'ACTIVE'],
      says: /`--status`/,
    },
    { when: 'an unknown short flag', code: 'USAGE', argv: ['jobs', 'list', '-x'], says: /`-x`/ },
    { when: 'a flag without its value', code: 'USAGE', argv: ['jobs', 'list', '--limit'], says: /--limit/ },
    { when: 'an unknown command', code: 'USAGE', argv: ['jobs', 'crate'], says: /partner jobs create/ },
    { when: 'an unknown topic', code: 'USAGE', argv: ['bogus'], says: /partner help/ },
    { when: 'help about nothing', code: 'USAGE', argv: ['help', 'bogus'], says: /bogus/ },
    { when: 'an argument too many', code: 'USAGE', argv: ['jobs', 'get', '1', '2'], says: /`2`/ },
    { when: 'a missing argument', code: 'USAGE', argv: ['jobs', 'get'], says: /id is missing/ },
    { when: 'an id that cannot be one', code: 'USAGE', argv: ['jobs', 'get', 'abc'], says: /`abc`/ },
    { when: 'an id past 2^53', code: 'USAGE', argv: ['jobs', 'publish', '9007199254740993'] },
    {
      when: 'a value outside its set',
      code: 'USAGE',
      argv: ['jobs', 'list', '--status', 'activ'],
      says: /ACTIVE/,
    },
    {
      when: 'a number out of range',
      code: 'USAGE',
      argv: ['jobs', 'list', '--limit', '0'],
      says: /--limit 1/,
    },
    {
      when: 'a duration without a unit',
      code: 'USAGE',
      argv: ['jobs', 'list', '--timeout', '30'],
      says: /30s/,
    },
    { when: 'a profile that there is not', code: 'USAGE', argv: ['jobs', 'list', '--profile', 'acme'] },
    { when: 'a base URL that is none', code: 'USAGE', argv: ['jobs', 'list', '--base-url', 'example'] },
    { when: 'nothing to create from', code: 'INPUT_REQUIRED', argv: ['jobs', 'create'], says: /job file/ },
    {
      when: 'a question without a terminal',
      code: 'INPUT_REQUIRED',
      from: withDrafts,
      argv: ['jobs', 'close', '1'],
      says: /--yes/,
    },
    { when: 'a missing file', code: 'FILE_UNREADABLE', argv: ['jobs', 'create', 'missing.json'] },
    {
      when: 'a missing file to validate',
      code: 'FILE_UNREADABLE',
      argv: ['jobs', 'validate', 'missing.json'],
    },
    { when: 'a directory for a file', code: 'FILE_UNREADABLE', argv: ['jobs', 'create', '.'] },
    {
      when: 'plain http to another machine',
      code: 'INSECURE_BASE_URL',
      argv: ['jobs', 'list', '--base-url', 'http://example.com/v1'],
      options: { env: { PARTNER_API_KEY: KEY } },
      says: /--allow-insecure/,
    },
    {
      when: 'a corrupt database',
      code: 'DATABASE_UNUSABLE',
      alone: true,
      from: withEngine,
      argv: async (home) => {
        await home.file('data/engine/partner.db', 'this is no database, however long it may be made');
        return ['jobs', 'list'];
      },
      says: /PARTNER_DATA_DIR/,
    },
    {
      when: 'a configuration with rubbish in it',
      code: 'CONFIG_UNREADABLE',
      argv: async (home) => {
        await home.file('config/config.json', '{"profiles": ');
        return ['jobs', 'list'];
      },
      says: /config\.json/,
    },
  ];
  for (const failure of usage) itFails(failure);
});

describe('an input that is refused before it is sent', () => {
  const refused: readonly Failure[] = [
    {
      when: 'a file that is no JSON',
      code: 'FILE_INVALID',
      argv: async (home) => ['jobs', 'create', await home.file('listing.json', '{"title": }')],
      says: /listing\.json:1:11/,
    },
    {
      when: 'a listing with a wrong field',
      code: 'VALIDATION_FAILED',
      argv: async (home) => ['jobs', 'create', await listing(home, { salaryMin: 'lots' })],
      says: /salaryMin/,
    },
    {
      when: 'an incomplete listing, created and published at once',
      code: 'VALIDATION_FAILED',
      argv: async (home) => ['jobs', 'create', await listing(home, { jobLevel: null }), '--publish'],
      says: /--job-level/,
    },
    {
      when: 'publishing an incomplete draft',
      code: 'VALIDATION_FAILED',
      from: withCard,
      argv: ['jobs', 'publish', '2'],
      says: /bidPerQualifiedApplicantCents/,
    },
    {
      when: 'a place that may be one of several',
      code: 'VALIDATION_FAILED',
      argv: ['jobs', 'create', '--title', 'Nurse', '--location', 'Springfield'],
      says: /id 4250542 Springfield, Illinois/,
    },
    {
      when: 'a place that there is not',
      code: 'VALIDATION_FAILED',
      argv: ['jobs', 'create', '--title', 'Nurse', '--location', 'Qwxzzyville'],
      says: /locations search/,
    },
  ];
  for (const failure of refused) itFails(failure);
});

describe('what the bundled engine refuses', () => {
  const refused: readonly Failure[] = [
    {
      when: 'publishing before the terms are accepted',
      code: 'AGREEMENT_OUTDATED',
      from: withDrafts,
      argv: ['jobs', 'publish', '1'],
      says: /both are missing[\s\S]*`partner dashboard accept-terms`[\s\S]*`partner dashboard add-card`/,
    },
    {
      when: 'publishing before a card is on file',
      code: 'PAYMENT_METHOD_REQUIRED',
      from: withTerms,
      argv: ['jobs', 'publish', '1'],
      says: /`partner dashboard add-card`/,
    },
    {
      when: 'creating and publishing before the terms are accepted',
      code: 'AGREEMENT_OUTDATED',
      argv: async (home) => ['jobs', 'create', await listing(home), '--publish'],
      says: /`partner dashboard accept-terms`/,
    },
    {
      when: 'pausing a draft',
      code: 'INVALID_TRANSITION',
      from: withDrafts,
      argv: ['jobs', 'pause', '1'],
      says: /DRAFT/,
    },
    {
      when: 'an idempotency key that was used for another job',
      code: 'IDEMPOTENCY_CONFLICT',
      argv: async (home) => {
        const create = ['jobs', 'create', '--idempotency-key', 'nurse-1', '--title'];
        await home.must([...create, 'Night nurse']);
        return [...create, 'Day nurse'];
      },
      says: /new key/,
    },
    { when: 'an id that nobody has', code: 'NOT_FOUND', argv: ['jobs', 'get', '999'], says: /jobs list/ },
    {
      when: 'a key that the bundled engine does not know',
      code: 'INVALID_SERVICE_KEY',
      argv: ['jobs', 'list'],
      options: { env: { PARTNER_API_KEY: KEY } },
      says: /PARTNER_API_KEY/,
    },
  ];
  for (const failure of refused) itFails(failure);
});

describe('what a server answers', () => {
  const answering =
    (code: ErrorCode): Answerer =>
    (_, __, response) => {
      const error = { code, message: 'so the server says', fields: { title: 'is not liked' } };
      response.writeHead(errorRow(code).status ?? 500, {
        'content-type': 'application/json',
        'retry-after': '3600',
      });
      response.end(JSON.stringify({ error }));
    };

  const refusals = [
    'INVALID_SERVICE_KEY',
    'PAYMENT_METHOD_REQUIRED',
    'FORBIDDEN',
    'JOB_FROZEN',
    'VALIDATION_FAILED',
    'RATE_LIMITED',
    'INTERNAL',
    'UNAVAILABLE',
  ] as const;
  for (const code of refusals) {
    itFails({
      when: `an answer ${ERRORS[code].status} to an update`,
      code,
      argv: ['jobs', 'update', '1', '--title', 'Night nurse'],
      answer: answering(code),
      says: /so the server says.*is not liked/,
    });
  }

  it('keeps its code, whichever of the table it is', async () => {
    const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => errorRow(code).status !== null);
    const server = await servers.listen((arrived, ...io) => {
      const id = Number(/jobs\/(\d+)/.exec(arrived.url ?? '')?.[1]);
      answering(codes[id - 1] ?? 'INTERNAL')(arrived, ...io);
    });
    const ids = codes.map((_, index) => String(index + 1));
    const home = await newHome();
    const run = await home.run(
      ['jobs', 'close', ...ids, '--yes', '--json', '--base-url', `${server.origin}/v1`],
      { env: { PARTNER_API_KEY: KEY }, alone: true },
    );
    assert.equal(run.code, EXIT.allFailed);
    const { items } = run.json() as { items: { error?: ErrorDocument['error'] }[] };
    assert.deepEqual(
      items.map(({ error }) => [error?.code, error?.status]),
      codes.map((code) => [code, errorRow(code).status]),
    );
  });

  const html: Answerer = (_, __, response) => {
    response.writeHead(500, { 'content-type': 'text/html' }).end('<html><h1>Oh no</h1></html>');
  };
  const failures: readonly Failure[] = [
    {
      when: 'HTML with status 500, whenever it is asked,',
      code: 'SERVER_FAILED',
      alone: true,
      argv: ['jobs', 'get', '1', '--timeout', '1s'],
      answer: html,
      says: /Oh no/,
    },
    {
      when: 'HTML where a job should be',
      code: 'ANSWER_UNREADABLE',
      argv: ['jobs', 'get', '1'],
      answer: (_, __, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      says: /--base-url/,
    },
    {
      when: 'a 404 that is not of the API, to a pause',
      code: 'OPERATION_NOT_OFFERED',
      argv: ['jobs', 'pause', '1'],
      answer: (_, __, response) => response.writeHead(404).end('no such page'),
      says: /offers no pause at \/v1\/jobs\/1\/pause/,
    },
    {
      when: 'several places where one was meant',
      code: 'PLACE_AMBIGUOUS',
      argv: ['jobs', 'create', '--title', 'Nurse', '--location', 'Springfield'],
      answer: (_, __, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ items: ['Illinois', 'Ohio'].map(springfieldIn) }));
      },
      says: /"id 12":"Springfield, Ohio/,
    },
    {
      when: 'no place where one was meant',
      code: 'PLACE_UNKNOWN',
      argv: ['jobs', 'create', '--title', 'Nurse', '--location', 'Springfield'],
      answer: (_, __, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"items": []}'),
      says: /locations search/,
    },
    {
      when: 'no answer within --timeout',
      code: 'TIMED_OUT',
      alone: true,
      argv: ['jobs', 'get', '1', '--timeout', '200ms'],
      answer: () => {},
      says: /200 ms/,
    },
    {
      when: 'a connection that is cut in the middle of a create',
      code: 'OUTCOME_UNKNOWN',
      alone: true,
      argv: ['jobs', 'create', '--title', 'Night nurse'],
      answer: (_, request) => request.socket.destroy(),
      says: /"Night nurse" in `partner jobs list --limit 20 --base-url/,
    },
    {
      when: 'a create that is not answered within --timeout',
      code: 'OUTCOME_UNKNOWN',
      alone: true,
      argv: ['jobs', 'create', '--title', 'Night nurse', '--timeout', '200ms'],
      answer: () => {},
      says: /may or may not exist/,
    },
    {
      when: 'a server for which there is no key',
      code: 'KEY_MISSING',
      argv: ['jobs', 'list'],
      answer: () => assert.fail('it was called without a key'),
      options: { env: {} },
      says: /PARTNER_API_KEY/,
    },
  ];
  for (const failure of failures) itFails(failure);

  const nobody = freePort();
  itFails({
    when: 'a server that nobody has started',
    code: 'UNREACHABLE',
    alone: true,
    argv: async () => {
      const baseUrl = `http://127.0.0.1:${await nobody}/v1`;
      // Longer than all attempts: in the midst of one the call would end as TIMED_OUT.
      return ['jobs', 'list', '--timeout', '20s', '--base-url', baseUrl];
    },
    options: { env: { PARTNER_API_KEY: KEY } },
    says: /partner doctor/,
  });

  it('a server that fails is asked again before exit 1', async () => {
    const server = await servers.listen(html);
    const home = await newHome();
    const run = await home.run(['jobs', 'get', '1', '--base-url', `${server.origin}/v1`], {
      env: { PARTNER_API_KEY: KEY },
      alone: true,
    });
    assert.equal(run.code, 1);
    assert.equal(server.requests.length, 4);
    const waits = run.stderr.match(/(?<=trying again in )[\d.]+ s/g) ?? [];
    assert.equal(waits.length, 3, 'each wait is told');
    assert.ok(!waits.includes('0.0 s'));
  });
});

describe('a bug', () => {
  it('is exit 1, with --json and without, and a report on stderr that holds no key and no value', async () => {
    const home = await newHome();
    const env = { PARTNER_API_KEY: KEY, NODE_OPTIONS: `--require ${BUG}` };
    const create = ['jobs', 'create', '--title', 'Secret project', '--base-url', 'http://127.0.0.1:4650/v1'];
    const [text, json] = await Promise.all([
      home.run(create, { env }),
      home.run([...create, '--json'], { env }),
    ]);
    for (const { code, stdout, stderr } of [text, json]) {
      assert.equal(code, ERRORS.UNEXPECTED.exit);
      assert.match(stderr, /--- report ---\n.*\ncommand: partner jobs create --title --base-url/);
      assert.match(stderr, /RangeError: cannot use sk_ext_…/);
      assert.doesNotMatch(stdout + stderr, new RegExp(`${KEY}|Secret project`));
    }
    assert.match(text.stderr, /^error: this is a bug in partner\n→ please send the report/);
    assert.equal((json.json() as ErrorDocument).error.code, 'UNEXPECTED');
  });
});

describe('several jobs in one command', () => {
  const both: readonly (readonly [
    when: string,
    argv: readonly string[],
    exit: number,
    went: readonly boolean[],
  ])[] = [
    ['all of them done', ['jobs', 'pause', '1'], EXIT.done, [true]],
    ['some of them failed', ['jobs', 'pause', '1', '2', '999'], EXIT.someFailed, [true, false, false]],
    ['all of them failed', ['jobs', 'pause', '2', '999'], EXIT.allFailed, [false, false]],
  ];
  for (const [when, argv, exit, went] of both) {
    reached.add(exit);
    it(`${when} is exit ${exit}, with --json and without, and each job says what became of it`, async () => {
      const [text, json] = await Promise.all([
        withLiveJob().then((home) => home.run(argv, { alone: true })),
        withLiveJob().then((home) => home.run([...argv, '--json'], { alone: true })),
      ]);
      assert.equal(text.code, exit);
      assert.equal(json.code, exit);
      const document = json.json() as {
        items?: { id: number; job?: object; error?: ErrorDocument['error'] }[];
      };
      const items = document.items ?? [{ id: 1, job: document }];
      assert.deepEqual(
        items.map(({ job }) => job !== undefined),
        went,
      );
      assert.deepEqual(
        items.map(({ id }) => String(id)),
        argv.slice(2),
      );
      for (const id of argv.slice(2)) assert.match(`${text.stdout}${text.stderr}`, new RegExp(`\\b${id}\\b`));
    });
  }
});

describe('a set of files', () => {
  reached.add(EXIT.somethingToDo);

  it('that is not applied yet is exit 10 with `plan --exit-code`, with --json and without', async () => {
    const home = await withEngine();
    const plan = ['jobs', 'plan', await listing(home)];
    const [text, json, plain] = await Promise.all([
      home.run([...plan, '--exit-code'], { alone: true }),
      home.run([...plan, '--exit-code', '--json'], { alone: true }),
      home.run(plan, { alone: true }),
    ]);
    assert.deepEqual([text.code, json.code, plain.code], [EXIT.somethingToDo, EXIT.somethingToDo, EXIT.done]);
    assert.equal(text.stdout, plain.stdout);
    assert.deepEqual((json.json() as { summary: { create: number } }).summary.create, 1);
    assert.doesNotMatch(text.stderr, /error/, 'something to do is no error');
  });

  const refused: readonly Failure[] = [
    {
      when: 'a state that is damaged',
      code: 'STATE_UNUSABLE',
      argv: async (home) => [
        'jobs',
        'apply',
        await listing(home),
        '--state',
        await home.file('state.json', '{'),
      ],
      says: /state\.json, line 1/,
    },
    {
      when: 'a link among what apply remembers',
      code: 'LINK_REFUSED',
      argv: async (home) => {
        const [file, rc] = [await listing(home), await home.file('.bashrc', '')];
        await symlink(rc, join(home.path, 'state.last-run.json'));
        return ['jobs', 'apply', file, '--state', 'state.json'];
      },
      says: /state\.last-run\.json is a symbolic link.*remove the link/,
    },
    {
      when: 'a state that another apply holds',
      code: 'STATE_LOCKED',
      alone: true,
      argv: async (home) => ['jobs', 'apply', await listing(home), '--state', await lockedState()],
      says: /process 42 on ci-1/,
    },
    {
      when: 'a saved plan that is no longer true',
      code: 'PLAN_OUTDATED',
      argv: async (home) => {
        const file = await listing(home);
        await home.must(['jobs', 'plan', file, '--out', 'plan.json']);
        await home.must(['jobs', 'apply', file]);
        return ['jobs', 'apply', '--plan', 'plan.json'];
      },
      says: /needs nothing any more/,
    },
    {
      when: 'a state that was lost',
      code: 'JOBS_ALREADY_THERE',
      argv: async (home) => {
        const file = await listing(home);
        await home.must(['jobs', 'create', file]);
        return ['jobs', 'apply', file];
      },
      says: /--rebuild/,
    },
  ];
  for (const failure of refused) itFails(failure);

  let lock: Promise<FileLock> | undefined;
  let locked: Home;
  before(async () => {
    locked = await newHome();
  });
  after(async () => (await lock)?.release());

  /** One state for both forms, which this process holds. */
  async function lockedState(): Promise<string> {
    const path = join(locked.path, 'state.json');
    const command = 'partner jobs apply jobs';
    lock ??= lockState(path, { pid: 42, host: 'ci-1', since: '2025-11-21T07:09:00.000Z', command });
    await lock;
    return path;
  }
});

describe('a command that is interrupted', () => {
  reached.add(EXIT.interrupted);

  /** Interrupts a call that a server has received and does not answer. */
  async function interruptedCall(argv: readonly string[], signal: NodeJS.Signals = 'SIGINT'): Promise<Run> {
    let arrive: () => void = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const server = await servers.listen(() => arrive());
    const home = await newHome();
    const run = home.start([...argv, '--base-url', `${server.origin}/v1`], { env: { PARTNER_API_KEY: KEY } });
    await arrived;
    run.child.kill(signal);
    return run.ended;
  }

  function assertInterrupted(text: Run, json: Run): void {
    for (const run of [text, json]) assert.equal(run.code, EXIT.interrupted, run.stderr);
    assert.equal(text.stdout, '');
    assert.match(text.stderr, /^error: interrupted$/m);
    assert.equal((json.json() as ErrorDocument).error.code, 'INTERRUPTED');
  }

  it('ends a call with exit 130, with --json and without', async () => {
    const get = ['jobs', 'get', '1'];
    const [text, json] = await Promise.all([interruptedCall(get), interruptedCall([...get, '--json'])]);
    assertInterrupted(text, json);
  });

  it('ends a create with exit 130 and says what to look for, as the job may have been made', async () => {
    const run = await interruptedCall(['jobs', 'create', '--title', 'Night nurse']);
    assert.equal(run.code, EXIT.interrupted);
    assert.match(run.stderr, /look for title "Night nurse" in `partner jobs list --limit 20 --base-url/);
  });

  it('ends a call that is told to end (SIGTERM) in the same way', async () => {
    const run = await interruptedCall(['jobs', 'get', '1', '--json'], 'SIGTERM');
    assert.equal(run.code, EXIT.interrupted);
    assert.equal((run.json() as ErrorDocument).error.code, 'INTERRUPTED');
  });

  it('ends `jobs watch` with exit 130, with --json and without', async () => {
    const watched = async (form: readonly string[]): Promise<Run> => {
      const home = await withDrafts();
      const run = home.start(['jobs', 'watch', '1', '--until', 'ACTIVE', '--every', '1h', ...form]);
      await run.shown('stderr', /job 1 is DRAFT/);
      run.child.kill('SIGINT');
      return run.ended;
    };
    assertInterrupted(...(await Promise.all([watched([]), watched(['--json'])])));
  });

  it('ends a wait for input with exit 130, with --json and without', async () => {
    const waiting = async (form: readonly string[]): Promise<Run> => {
      const home = await newHome();
      const run = home.start(['jobs', 'create', '-', ...form], { stdin: 'open' });
      // More than a pipe holds: it has drained once the command reads its input.
      await new Promise((resolve) => run.child.stdin?.write(' '.repeat(1024 * 1024), resolve));
      run.child.kill('SIGINT');
      return run.ended;
    };
    assertInterrupted(...(await Promise.all([waiting([]), waiting(['--json'])])));
  });

  it('records which jobs of several were done, with exit 130', async () => {
    const home = await newHome();
    let run: Running | undefined;
    const server = await servers.listen(({ url }, _, response) => {
      const id = Number(/\d+(?=\/pause)/.exec(url ?? '')?.[0]);
      if (id === 2) run?.child.kill('SIGINT');
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id }));
    });
    run = home.start(['jobs', 'pause', '1', '2', '3', '--json', '--base-url', `${server.origin}/v1`], {
      env: { PARTNER_API_KEY: KEY },
    });
    const { code, json } = await run.ended;
    assert.equal(code, EXIT.interrupted);
    const { items } = json() as { items: { id: number; job?: object; error?: ErrorDocument['error'] }[] };
    assert.deepEqual(
      items.map(({ id, error }) => [id, error?.code]),
      [
        [1, undefined],
        [2, 'INTERRUPTED'],
        [3, 'INTERRUPTED'],
      ],
    );
    assert.equal(server.requests.length, 2, 'the third was not tried');
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`is done where it was a server: \`engine serve\` ends with exit 0 on ${signal}`, async () => {
      const serving = async (form: readonly string[]): Promise<Run> => {
        const run = (await newHome()).start(['engine', 'serve', '--port', '0', ...form]);
        await run.shown('stdout', /http.*\n/);
        run.child.kill(signal);
        return run.ended;
      };
      const runs = await Promise.all([serving([]), serving(['--json'])]);
      for (const run of runs) assert.equal(run.code, EXIT.done, run.stderr);
    });
  }
});

describe('the table of exit codes', () => {
  it('has no code that no test here reaches', () => {
    const all = new Set([...Object.values(ERRORS).map(({ exit }) => exit), ...Object.values(EXIT)]);
    assert.deepEqual(
      [...all].filter((exit) => !reached.has(exit)),
      [],
    );
  });
});
