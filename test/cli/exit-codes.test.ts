import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { lockState } from '../../src/bulk/state/lock.ts';
import { ERRORS, type ErrorCode, EXIT, errorRow } from '../../src/contract/errors.ts';
import { freePort, type RealServers, realServers } from '../client/real-server.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { withCard, withDrafts, withEngine, withLiveJob, withTerms } from './homes.ts';
import { BUG, type Home, newHome, type Run, type Running } from './partner.ts';
import refusedLines from './refused-lines.json' with { type: 'json' };
import { answering, callsTo, KEY } from './servers.ts';

// Scripts rely on exit codes, so each code is tested in its own process once; other runs share a loaded one.

type Answerer = Parameters<RealServers['listen']>[0];

interface ErrorDocument {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly fields?: Readonly<Record<string, string>>;
    readonly status?: number;
    readonly hint?: string;
  };
}

interface Given {
  readonly from?: () => Promise<Home>;
  /** Runs in its own process, if anything left open could keep that process from exiting. */
  readonly alone?: boolean;
  readonly answer?: Answerer;
  readonly env?: Readonly<Record<string, string>>;
}

const servers = realServers('each test');

const inBothForms = <T>(work: (flags: readonly string[]) => Promise<T>): Promise<[T, T]> =>
  Promise.all([work([]), work(['--json'])]);

const reached = new Set<number>();

type Line = string | (() => Promise<string>);

function itFails(when: string, code: ErrorCode, line: Line, says = /./, given: Given = {}): void {
  const { exit } = errorRow(code);
  const { from = newHome, answer, env = {} } = given;
  const isFirst = !reached.has(exit);
  reached.add(exit);
  it(`${when} is ${code}, exit ${exit}, with --json and without`, async () => {
    const where = answer === undefined ? {} : callsTo(await servers.listen(answer));
    const words = wordsOf(typeof line === 'string' ? line : await line());
    const [text, json] = await inBothForms(async (flags) => {
      const home = await from();
      const alone = (given.alone ?? isFirst) && flags.length === 0;
      const run = await home.run([...words, ...flags], { env: { ...where, ...env }, alone });
      const plain = (output: string) => output.replaceAll(home.path, '~');
      return { ...run, stdout: plain(run.stdout), stderr: plain(run.stderr) };
    });
    const document = JSON.parse(json.stdout) as ErrorDocument;
    const { message, fields = {}, hint } = document.error;
    assert.deepEqual([Object.keys(document), document.error.code], [['error'], code]);
    assert.deepEqual([text.code, json.code, text.stdout], [exit, exit, '']);
    assert.ok(text.stderr.includes(`error: ${message}\n`), `another message without --json: ${text.stderr}`);
    assert.equal(/^→ (.*)$/m.exec(text.stderr)?.[1], hint, 'the same next step in both forms');
    assert.ok(hint !== undefined || document.error.fields, `nothing says what to do: ${text.stderr}`);
    for (const field of Object.keys(fields)) assert.ok(text.stderr.includes(field), field);
    for (const { stderr } of [text, json]) assert.doesNotMatch(stderr, /\n\s+at /, 'no stack trace');
    assert.match(`${message} ${JSON.stringify(fields)} ${hint}`, says);
  });
}

function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);
}

const withFile =
  (name: string, content: unknown, from = newHome) =>
  async (): Promise<Home> => {
    const home = await from();
    await home.file(name, content);
    return home;
  };

const withListing = (changes: object = {}) => withFile('listing.json', { ...COMPLETE_LISTING, ...changes });

const withDone =
  (...lines: readonly string[]) =>
  async (): Promise<Home> => {
    const home = await withListing()();
    for (const line of lines) await home.must(wordsOf(line));
    return home;
  };

describe('a command line that cannot be carried out:', () => {
  for (const [when = '', code, line = '', says = '.'] of refusedLines)
    itFails(when, code as ErrorCode, line, new RegExp(says));
  itFails('a question without a terminal', 'INPUT_REQUIRED', 'jobs close 1', /--yes/, { from: withDrafts });
  const insecure = 'jobs list --base-url http://example.com/v1';
  const env = { PARTNER_API_KEY: KEY };
  itFails('plain http to another machine', 'INSECURE_BASE_URL', insecure, /--allow-insecure/, { env });
  const corrupt = withFile('data/engine/partner.db', 'this is no database, however long it is', withEngine);
  const atDatabase = { from: corrupt };
  itFails('a corrupt database', 'DATABASE_UNUSABLE', 'jobs list', /PARTNER_DATA_DIR/, atDatabase);
  const from = withFile('config/config.json', '{"profiles": ');
  itFails('a damaged configuration', 'CONFIG_UNREADABLE', 'jobs list', /config\.json/, { from });
});

describe('an input that is refused before it is sent:', () => {
  const create = 'jobs create listing.json';
  const noJson = { from: withFile('listing.json', '{"title": }') };
  itFails('a file that is no JSON', 'FILE_INVALID', create, /listing\.json:1:11/, noJson);
  const wrong = { from: withListing({ salaryMin: 'lots' }) };
  itFails('a listing with a wrong field', 'VALIDATION_FAILED', create, /salaryMin/, wrong);
  const incomplete = { from: withListing({ jobLevel: null }) };
  itFails('an incomplete listing', 'VALIDATION_FAILED', `${create} --publish`, /--job-level/, incomplete);
  const draft = { from: withCard };
  itFails('publishing an incomplete draft', 'VALIDATION_FAILED', 'jobs publish 2', /bidPerQual/, draft);
  const at = 'jobs create --title Nurse --location';
  itFails('one of several places', 'VALIDATION_FAILED', `${at} Springfield`, /id 4250542 Springfield, Ill/);
  itFails('an unknown place', 'VALIDATION_FAILED', `${at} Qwxzzyville`, /locations search/);
});

describe('what the bundled engine refuses:', () => {
  const terms =
    /terms aren't accepted and no payment card is on file[\s\S]*`partner dashboard accept-terms`[\s\S]*`partner dashboard add-card`/;
  itFails('publishing before the terms', 'AGREEMENT_OUTDATED', 'jobs publish 1', terms, { from: withDrafts });
  const card = { from: withTerms };
  itFails('publishing before a card', 'PAYMENT_METHOD_REQUIRED', 'jobs publish 1', /add-card`/, card);
  const create = 'jobs create listing.json --publish';
  const listed = { from: withListing() };
  itFails('a create before the terms', 'AGREEMENT_OUTDATED', create, /accept-terms`/, listed);
  itFails('pausing a draft', 'INVALID_TRANSITION', 'jobs pause 1', /DRAFT/, { from: withDrafts });
  const used = { from: withDone('jobs create --idempotency-key n-1 --title "Night nurse"') };
  const again = 'jobs create --idempotency-key n-1 --title "Day nurse"';
  itFails('an idempotency key of another job', 'IDEMPOTENCY_CONFLICT', again, /new key/, used);
  itFails('an id that nobody has', 'NOT_FOUND', 'jobs get 999', /jobs list/);
  const env = { PARTNER_API_KEY: KEY };
  itFails('an unknown key', 'INVALID_SERVICE_KEY', 'jobs list', /PARTNER_API_KEY/, { env });
});

describe('what a server answers:', () => {
  const refusing = (code: ErrorCode): Answerer => {
    const error = { code, message: 'so the server says', fields: { title: 'is not liked' } };
    return answering(errorRow(code).status ?? 500, { error }, { 'retry-after': '3600' });
  };

  const refusals = [
    ...(['INVALID_SERVICE_KEY', 'PAYMENT_METHOD_REQUIRED', 'FORBIDDEN', 'JOB_FROZEN'] as const),
    ...(['VALIDATION_FAILED', 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'] as const),
  ];
  for (const code of refusals) {
    const [when, line] = [`an answer ${ERRORS[code].status} to an update`, 'jobs update 1 --title Nurse'];
    itFails(when, code, line, /so the server says.*is not liked/, { answer: refusing(code) });
  }

  it('any code of the table keeps its exit code and status', async () => {
    const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => errorRow(code).status !== undefined);
    const server = await servers.listen((arrived, ...io) => {
      const id = Number(/jobs\/(\d+)/.exec(arrived.url ?? '')?.[1]);
      refusing(codes[id - 1] ?? 'INTERNAL')(arrived, ...io);
    });
    const ids = codes.map((_, index) => String(index + 1));
    const close = ['jobs', 'close', ...ids, '--yes', '--json'];
    const run = await (await newHome()).run(close, { env: callsTo(server) });
    assert.equal(run.code, EXIT.allFailed);
    const { items } = run.json() as { items: ErrorDocument[] };
    const told = items.map(({ error }) => [error.code, error.status]);
    const expected = codes.map((code) => [code, errorRow(code).status]);
    assert.deepEqual(told, expected);
  });

  const text =
    (status: number, body: string, type = 'text/html'): Answerer =>
    (_, __, response) =>
      response.writeHead(status, { 'content-type': type }).end(body);
  const html = text(500, '<html><h1>Oh no</h1></html>');
  const late = 'jobs get 1 --timeout 60s';
  itFails('HTML with status 500', 'SERVER_FAILED', late, /Oh no/, { answer: html });
  const page = { answer: text(200, '<html>') };
  itFails('HTML for a job', 'ANSWER_UNREADABLE', 'jobs get 1', /--base-url/, page);
  const noRoute = { answer: text(404, 'no such page', 'text/plain') };
  const offers = /doesn't support pausing jobs \(\/v1\/jobs\/1\/pause\)/;
  itFails('a 404 of another program', 'OPERATION_NOT_OFFERED', 'jobs pause 1', offers, noRoute);
  const at = 'jobs create --title Nurse --location Springfield';
  const none = { answer: answering(200, { items: [] }) };
  itFails('several places', 'VALIDATION_FAILED', at, /· Springfield, Illinois, United States/, none);
  const unlisted = /doesn't have Springfield, Illinois.*doctor --remote/;
  itFails('no place', 'VALIDATION_FAILED', `${at},IL`, unlisted, none);
  const silent = { answer: () => {}, alone: true };
  itFails('no answer within --timeout', 'TIMED_OUT', 'jobs get 1 --timeout 200ms', /200 ms/, silent);
  const create = 'jobs create --title "Night nurse"';
  const hasty = `${create} --timeout 3s`;
  itFails('a create without an answer', 'OUTCOME_UNKNOWN', hasty, /may or may not/, { answer: () => {} });
  const cut: Given = { answer: (_, request) => request.socket.destroy(), alone: true };
  const look = /"Night nurse" in `partner jobs list --limit 20`/;
  itFails('a connection cut in a create', 'OUTCOME_UNKNOWN', create, look, cut);
  const elsewhere = 'jobs list --base-url https://api.example.com/v1';
  itFails('no key for it', 'KEY_MISSING', elsewhere, /PARTNER_API_KEY/);
  // Longer than all attempts take, or the error would be TIMED_OUT.
  const unreachable = async () =>
    `jobs list --timeout 60s --base-url http://127.0.0.1:${await freePort()}/v1`;
  const keyed = { env: { PARTNER_API_KEY: KEY } };
  itFails('a server that nobody has started', 'UNREACHABLE', unreachable, /partner doctor/, keyed);
});

describe('a bug', () => {
  it('is exit 1, with --json and without, and a report on stderr that holds no key and no value', async () => {
    const home = await newHome();
    const env = { PARTNER_API_KEY: KEY, NODE_OPTIONS: `--require ${BUG}` };
    const create = ['jobs', 'create', '--title', 'Secret project', '--base-url', 'http://127.0.0.1:4650/v1'];
    const [text, json] = await inBothForms((flags) => home.run([...create, ...flags], { env }));
    for (const { code, stdout, stderr } of [text, json]) {
      assert.equal(code, ERRORS.UNEXPECTED.exit);
      assert.match(stderr, /--- report ---\n.*\ncommand: partner jobs create --title --base-url/);
      assert.match(stderr, /RangeError: cannot use sk_ext_…/);
      assert.doesNotMatch(stdout + stderr, new RegExp(`${KEY}|Secret project`));
    }
    assert.match(text.stderr, /^error: this is a bug in partner\n→ please report it with the details below/);
    assert.equal((json.json() as ErrorDocument).error.code, 'UNEXPECTED');
  });
});

describe('several jobs in one command', () => {
  for (const [when, ids, exit, done] of [
    ['all of them done', ['1'], EXIT.done, [true]],
    ['some of them failed', ['1', '2', '999'], EXIT.someFailed, [true, false, false]],
    ['all of them failed', ['2', '999'], EXIT.allFailed, [false, false]],
  ] as const) {
    reached.add(exit);
    it(`${when} is exit ${exit}, with --json and without, and each job says what became of it`, async () => {
      const [text, json] = await inBothForms(async (flags) =>
        (await withLiveJob()).run(['jobs', 'pause', ...ids, ...flags], {
          alone: flags.length === 0 && exit !== EXIT.done,
        }),
      );
      assert.deepEqual([text.code, json.code], [exit, exit]);
      const document = json.json() as { items?: { id: number; job?: object }[] };
      const items = document.items ?? [{ id: 1, job: document }];
      const told = items.map(({ id, job }) => [String(id), job !== undefined]);
      const expected = ids.map((id, index) => [id, done[index]]);
      assert.deepEqual(told, expected);
      for (const id of ids) assert.match(`${text.stdout}${text.stderr}`, new RegExp(`\\b${id}\\b`));
    });
  }
});

describe('a set of files:', () => {
  reached.add(EXIT.somethingToDo);

  it('one that is not applied yet is exit 10 with `plan --exit-code`, with --json and without', async () => {
    const home = await withListing()();
    const plan = (...flags: string[]) =>
      home.run(['jobs', 'plan', 'listing.json', ...flags], { alone: flags.length === 1 });
    const [text, json, plain] = [
      await plan('--exit-code'),
      await plan('--exit-code', '--json'),
      await plan(),
    ];
    assert.deepEqual([text.code, json.code, plain.code], [EXIT.somethingToDo, EXIT.somethingToDo, EXIT.done]);
    assert.equal(text.stdout, plain.stdout);
    assert.equal((json.json() as { summary: { create: number } }).summary.create, 1);
    assert.doesNotMatch(text.stderr, /error/, 'something to do is no error');
  });

  const apply = 'jobs apply listing.json --state state.json';
  const damaged = { from: withFile('state.json', '{', withListing()) };
  itFails('a damaged state', 'STATE_UNUSABLE', apply, /state\.json, line 1/, damaged);
  const from = async (): Promise<Home> => {
    const home = await withListing()();
    await symlink(await home.file('.bashrc', ''), join(home.path, 'state.last-run.json'));
    return home;
  };
  itFails(
    'a link for a file of its own',
    'LINK_REFUSED',
    apply,
    /refusing to use a symbolic link: .*last-run\.json/,
    {
      from,
    },
  );
  const planned = withDone('jobs plan listing.json --out plan.json', 'jobs apply listing.json');
  const outdated = 'jobs apply --plan plan.json';
  itFails('an outdated plan', 'PLAN_OUTDATED', outdated, /no longer needs changes/, { from: planned });
  const lost = { from: withDone('jobs create listing.json') };
  itFails('a lost state', 'JOBS_ALREADY_THERE', apply, /--rebuild/, lost);

  const locks: { release(): void }[] = [];
  const locked = async (): Promise<Home> => {
    const home = await withListing()();
    const since = '2025-11-21T07:09:00.000Z';
    const holder = { pid: 42, host: 'ci-1', since, command: 'partner jobs apply jobs' };
    locks.push(await lockState(join(home.path, 'state.json'), holder));
    return home;
  };
  afterEach(() => locks.splice(0).forEach((lock) => void lock.release()));
  const held = { from: locked, alone: true };
  itFails('a state that another apply holds', 'STATE_LOCKED', apply, /process 42 on ci-1/, held);
});

describe('a command that is interrupted', () => {
  reached.add(EXIT.interrupted);

  async function interruptedCall(argv: readonly string[], signal: NodeJS.Signals = 'SIGINT'): Promise<Run> {
    let arrive: () => void = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const server = await servers.listen(() => arrive());
    const home = await newHome();
    const run = home.start(argv, { env: callsTo(server) });
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

  it('ends a call with exit 130, with --json and without', async () =>
    assertInterrupted(...(await inBothForms((flags) => interruptedCall(['jobs', 'get', '1', ...flags])))));

  it('ends a create with exit 130 and says what to look for, as the job may have been made', async () => {
    const run = await interruptedCall(['jobs', 'create', '--title', 'Night nurse']);
    assert.equal(run.code, EXIT.interrupted);
    assert.match(run.stderr, /check for title "Night nurse" in `partner jobs list --limit 20`/);
  });

  it('ends `jobs watch` with exit 130, with --json and without', async () => {
    const watch = ['jobs', 'watch', '1', '--until', 'ACTIVE', '--every', '1h'];
    const watched = async (flags: readonly string[]): Promise<Run> => {
      const run = (await withDrafts()).start([...watch, ...flags]);
      await run.shown('stderr', /job 1 is DRAFT/);
      run.child.kill('SIGINT');
      return run.ended;
    };
    assertInterrupted(...(await inBothForms(watched)));
  });

  it('ends a wait for input with exit 130, with --json and without', async () => {
    const waiting = async (flags: readonly string[]): Promise<Run> => {
      const run = (await newHome()).start(['jobs', 'create', '-', ...flags], { stdin: 'open' });
      // Larger than the pipe's buffer, so the write completes only when the command reads its input.
      await new Promise((resolve) => run.child.stdin?.write(' '.repeat(1024 * 1024), resolve));
      run.child.kill('SIGINT');
      return run.ended;
    };
    assertInterrupted(...(await inBothForms(waiting)));
  });

  it('records which jobs of several were done, with exit 130', async () => {
    const home = await newHome();
    let run: Running | undefined;
    const server = await servers.listen(({ url }, _, response) => {
      const id = Number(/\d+(?=\/pause)/.exec(url ?? '')?.[0]);
      if (id === 2) run?.child.kill('SIGINT');
      else response.end(JSON.stringify({ id, status: 'PAUSED' }));
    });
    run = home.start('jobs pause 1 2 3 --json', { env: callsTo(server) });
    const { code, json } = await run.ended;
    assert.equal(code, EXIT.interrupted);
    const { items } = json() as { items: { id: number; job?: object; error?: ErrorDocument['error'] }[] };
    const actual = items.map(({ id, error }) => [id, error?.code]);
    assert.deepEqual(actual, [
      [1, undefined],
      [2, 'INTERRUPTED'],
      [3, 'INTERRUPTED'],
    ]);
    assert.equal(server.requests.length, 2, 'the third was not tried');
  });

  for (const [signal, ...flags] of [['SIGINT'], ['SIGTERM', '--json']] as const)
    it(`is done where it was a server: \`engine serve\` ends with exit 0 on ${signal}`, async () => {
      const run = (await newHome()).start(['engine', 'serve', '--port', '0', ...flags]);
      await run.shown('stdout', /http.*\n/);
      run.child.kill(signal);
      const { code, stderr } = await run.ended;
      assert.equal(code, EXIT.done, stderr);
    });
});

describe('the table of exit codes', () => {
  it('has no code that no test here reaches', () => {
    const all = new Set([...Object.values(ERRORS).map(({ exit }) => exit), ...Object.values(EXIT)]);
    const unreached = [...all].filter((exit) => !reached.has(exit));
    assert.deepEqual(unreached, []);
  });
});
