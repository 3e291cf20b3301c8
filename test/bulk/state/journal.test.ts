import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  type AppendFile,
  type Journal,
  type JournalOptions,
  openJournal,
} from '../../../src/bulk/state/journal.ts';
import {
  foldJournal,
  type JournalContent,
  type JournalLine,
  type OutcomeLine,
  readJournal,
} from '../../../src/bulk/state/journal-content.ts';
import type { BulkState, Intent } from '../../../src/bulk/state/state.ts';
import { childScript } from '../../child-script.ts';
import { partnerError } from '../../cli/settings/partner-error.ts';
import { smallDisk } from '../../small-disk.ts';
import { tempDirectory } from '../../temp-directory.ts';
import { times } from '../../times.ts';
import { entryOf, SERVER, stateOf } from './states.ts';

const temp = tempDirectory();
const statePath = (): string => temp('.partner/state.json');
const path = (): string => temp('.partner/state.journal.ndjson');

const RUN = { server: SERVER, now: () => 1000, runId: 'run-1', host: 'here', pid: 7 };

function intentOf(n: number, more: Partial<Intent> = {}): Intent {
  return {
    key: `${n}.json`,
    idempotencyKey: `key-${n}`,
    at: 1000 + n,
    body: { title: `Listing ${n}` },
    ...more,
  };
}

function made(n: number, job = n): OutcomeLine {
  return { kind: 'made', key: `${n}.json`, idempotencyKey: `key-${n}`, job, entry: entryOf(job) };
}

const opened: Journal[] = [];
afterEach(() => Promise.all(opened.splice(0).map((journal) => journal.close())));

async function journalOf(options: Partial<JournalOptions> = {}): Promise<Journal> {
  const journal = await openJournal(statePath(), { ...RUN, ...options });
  opened.push(journal);
  return journal;
}

async function left(): Promise<JournalContent> {
  const content = readJournal(statePath(), SERVER);
  assert.ok(content);
  return content;
}

/** Writes a journal with these lines. */
async function written(...lines: readonly (Intent | OutcomeLine)[]): Promise<void> {
  const journal = await journalOf();
  for (const line of lines) await ('kind' in line ? journal.record(line) : journal.intend(line));
  await journal.flush();
  await journal.close();
}

const lines = (): string[] => readFileSync(path(), 'utf8').split('\n');

describe('a journal', () => {
  it('keeps pending intents with their bodies', async () => {
    await written(
      ...[1, 2, 3, 5].map((n) => intentOf(n)),
      made(1),
      { kind: 'refused', key: '2.json', idempotencyKey: 'key-2', code: 'VALIDATION_FAILED' },
      { kind: 'resent', key: '3.json', idempotencyKey: 'key-3' },
    );
    const { pending, startedAt, honours } = await left();
    assert.deepEqual([...pending], [['5.json', intentOf(5)]]);
    assert.deepEqual([startedAt, honours], [1000, false]);
  });

  it('ignores an outcome of an older intent with the same key', async () => {
    await written(intentOf(1), intentOf(1, { idempotencyKey: 'again' }), made(1));
    assert.equal((await left()).pending.get('1.json')?.idempotencyKey, 'again');
  });

  it("is undefined if it doesn't exist or has no complete line", async () => {
    assert.equal(readJournal(statePath(), SERVER), undefined);
    mkdirSync(temp('.partner'));
    writeFileSync(path(), '{"kind":"ru');
    assert.equal(readJournal(statePath(), SERVER), undefined);
  });

  it('resolves when an intent is on disk, and writes outcomes without a flush', async () => {
    const journal = await journalOf();
    await journal.intend(intentOf(1));
    assert.deepEqual([...(await left()).pending.keys()], ['1.json']);
    journal.record(made(1));
    while (lines().length < 4) await new Promise(setImmediate);
    assert.equal((await left()).pending.size, 0);
  });

  it('continues the journal of an earlier run and records each run', async () => {
    await written(intentOf(1), intentOf(2), made(1), { kind: 'honours' });
    const journal = await journalOf({ runId: 'run-2', now: () => 5000 });
    journal.record(made(2));
    assert.equal(journal.content.startedAt, 1000);
    assert.equal(journal.content.honours, true);
    assert.deepEqual(keysOf(journal.content.changes), ['1.json', '2.json']);
    await journal.flush();
    const runs = lines().filter((line) => line.includes('"kind":"run"'));
    const runIds = runs.map((line) => JSON.parse(line).runId);
    assert.deepEqual(runIds, ['run-1', 'run-2']);
  });

  it('is removed after the state is written, and can be closed twice', async () => {
    const journal = await journalOf();
    await journal.intend(intentOf(1));
    journal.record(made(1));
    await journal.discard();
    await journal.discard();
    await journal.close();
    assert.equal(existsSync(path()), false);
    assert.equal(existsSync(temp('.partner/.gitignore')), true);
  });

  it('keeps only pending intents after the state is written', async () => {
    const journal = await journalOf();
    for (const n of [1, 2, 3]) await journal.intend(intentOf(n));
    journal.record(made(2));
    await journal.discard();
    const { pending, changes } = await left();
    assert.deepEqual([[...pending.values()], changes], [[intentOf(1), intentOf(3)], []]);
    const next = await journalOf();
    await next.flush();
    assert.deepEqual([...(await left()).pending.keys()], ['1.json', '3.json']);
  });

  it('keeps that the server honors keys next to pending intents, because there may be no state', async () => {
    const journal = await journalOf();
    await journal.intend(intentOf(1));
    journal.record({ kind: 'honours' });
    await journal.discard();
    const { pending, honours } = await left();
    assert.deepEqual([[...pending.keys()], honours], [['1.json'], true]);
  });

  it('keeps the digest of the API key of each create, even after runs with other keys', async () => {
    const runs: readonly (readonly [n: number, keyDigest: string | undefined])[] = [
      [1, undefined],
      [2, 'of key one'],
      [3, 'of key two'],
      [4, 'of key one'],
    ];
    for (const [n, keyDigest] of runs) {
      const journal = await journalOf({ keyDigest });
      await journal.intend(intentOf(n));
      await (n < 3 ? journal.close() : journal.discard());
    }
    const keys = Object.fromEntries(
      [...(await left()).pending].map(([key, { keyDigest }]) => [key, keyDigest]),
    );
    assert.deepEqual(keys, {
      '1.json': undefined,
      '2.json': 'of key one',
      '3.json': 'of key two',
      '4.json': 'of key one',
    });
  });

  it('of another server is refused and stays unchanged', async () => {
    await written(intentOf(1));
    const before = readFileSync(path());
    const says = partnerError(
      'STATE_UNUSABLE',
      /from an unfinished apply to https:\/\/api\.acme\.example\/v1, not to https:\/\/b\.example/,
    );
    assert.throws(() => readJournal(statePath(), 'https://b.example/v1'), says);
    await assert.rejects(journalOf({ server: 'https://b.example/v1' }), says);
    assert.deepEqual(readFileSync(path()), before);
  });

  it('of a newer release is refused, even if its lines are unknown', async () => {
    mkdirSync(temp('.partner'));
    writeFileSync(path(), '{"kind":"run","version":2,"by":"x"}\n{"kind":"more"}\n');
    await assert.rejects(
      left(),
      partnerError('STATE_UNUSABLE', /newer release: it has version 2, .* → upgrade/),
    );
  });

  it('can have lines of 1 MiB with multibyte characters', async () => {
    const body = { description: '–€😀'.repeat(100_000) };
    await written(intentOf(1, { body }), intentOf(2, { body }), intentOf(3), made(2));
    const { pending } = await left();
    assert.deepEqual([...pending.keys()], ['1.json', '3.json']);
    assert.deepEqual(pending.get('1.json')?.body, body);
  });
});

describe('the last line of a journal, cut off at any byte,', () => {
  const outcome = made(1, 7);
  const cutAt = async (line: JournalLine | Intent, bytes: number): Promise<void> => {
    await written(intentOf(1));
    const text = JSON.stringify('kind' in line ? line : { kind: 'intent', ...line });
    appendFileSync(path(), Buffer.from(`${text}\n`).subarray(0, bytes));
  };

  it('is ignored, and the next run writes after the line before it', async () => {
    const whole = Buffer.byteLength(JSON.stringify(outcome)) + 1;
    for (let bytes = 1; bytes <= whole; bytes++) {
      await cutAt(outcome, bytes);
      const isKnown = bytes >= whole - 1;
      assert.equal((await left()).pending.has('1.json'), !isKnown, `${bytes} of ${whole} bytes`);
      const journal = await journalOf();
      await journal.intend(intentOf(2));
      await journal.close();
      assert.deepEqual([...(await left()).pending.keys()], isKnown ? ['2.json'] : ['1.json', '2.json']);
      rmSync(path());
    }
  });

  it('is ignored if it is an intent without a line end, because it was never sent', async () => {
    const intent = intentOf(2, { body: { title: 'é' } });
    await cutAt(intent, Buffer.byteLength(JSON.stringify({ kind: 'intent', ...intent })));
    assert.deepEqual([...(await left()).pending.keys()], ['1.json']);
  });

  it('is ignored if it has zeros from a power failure', async () => {
    await written(intentOf(1));
    for (const tail of ['\0'.repeat(4096), `${'\0'.repeat(100)}\n`]) {
      appendFileSync(path(), tail);
      const journal = await journalOf();
      await journal.flush();
      assert.deepEqual([...(await left()).pending.keys()], ['1.json']);
      await journal.close();
      assert.equal(readFileSync(path()).includes(0), false);
    }
  });
});

describe('a journal with other damage is refused with the line, and stays unchanged', () => {
  const damage: readonly (readonly [what: string, change: (lines: string[]) => void, line: number])[] = [
    ['an incomplete line between others', (all) => all.splice(1, 1, (all[1] ?? '').slice(0, 20)), 2],
    ['no run in the first line', (all) => all.splice(0, 1), 1],
    ['a line of an unknown kind', (all) => all.splice(2, 1, '{"kind":"toString"}'), 3],
    ['a last line with missing fields', (all) => all.splice(3, 1, '{"kind":"made","key":"1.json"}'), 4],
  ];
  for (const [what, change, line] of damage)
    it(what, async () => {
      await written(intentOf(1), made(1), intentOf(2));
      const all = lines().slice(0, -1);
      change(all);
      const text = `${all.join('\n')}\n`;
      writeFileSync(path(), text);
      const says = partnerError(
        'STATE_UNUSABLE',
        new RegExp(`ndjson, line ${line}: not a valid journal line → .*--rebuild`),
      );
      await assert.rejects(left(), says);
      await assert.rejects(journalOf(), says);
      assert.equal(readFileSync(path(), 'utf8'), text);
    });
});

describe('syncs are shared', () => {
  it('by all intents that arrive during a sync, which wait for the next one', async () => {
    const events: string[] = [];
    const syncs: ((value: unknown) => void)[] = [];
    const through = (file: AppendFile): AppendFile => ({
      append: (text) => file.append(text),
      sync: () => new Promise((resolve) => syncs.push(resolve)).then(() => file.sync()),
    });
    const journal = await journalOf({ through });
    const until = async (isSo: () => boolean): Promise<void> => {
      while (!isSo()) await new Promise(setImmediate);
    };
    const intend = (n: number) =>
      journal.intend(intentOf(n)).then(() => void events.push(`${n} on the disk`));
    const first = intend(1);
    await until(() => syncs.length === 1);
    const others = [2, 3, 4].map(intend);
    await until(() => lines().length === 6);
    assert.deepEqual(events, [], 'written, and promised by nobody yet');
    syncs[0]?.(undefined);
    await first;
    assert.deepEqual(events, ['1 on the disk'], 'a sync says nothing of lines that came after it began');
    await until(() => syncs.length === 2);
    syncs[1]?.(undefined);
    await Promise.all(others);
    assert.equal(syncs.length, 2);
  });
});

describe('a journal that cannot be written', () => {
  const full = (): Error => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  const refused = partnerError(
    'JOURNAL_UNWRITABLE',
    /the disk is full \(the request was not sent\) → free up/,
  );

  for (const failing of ['append', 'sync'] as const)
    it(`rejects every intent after a failed ${failing}, and writes nothing more`, async () => {
      let isFull = false;
      const through = (file: AppendFile): AppendFile => ({
        append: async (text) => {
          if (!isFull || failing === 'sync') return file.append(text);
          await file.append(text.slice(0, 10));
          throw full();
        },
        sync: () => (isFull && failing === 'sync' ? Promise.reject(full()) : file.sync()),
      });
      const journal = await journalOf({ through });
      await journal.intend(intentOf(1));
      isFull = true;
      const three = [2, 3, 4].map((n) => assert.rejects(journal.intend(intentOf(n)), refused));
      await Promise.all(three);
      await assert.rejects(journal.written(), refused);
      isFull = false;
      const before = lines();
      await assert.rejects(journal.intend(intentOf(5)), refused);
      journal.record(made(1));
      await assert.rejects(journal.flush(), partnerError('JOURNAL_UNWRITABLE', /may not be recorded/));
      await journal.close();
      assert.deepEqual(lines(), before);
      const { pending } = await left();
      assert.equal(pending.has('1.json') && !pending.has('5.json'), true);
      assert.deepEqual(
        [...foldJournal(stateOf({}), journal.content).listings.keys()],
        ['1.json'],
        'known all the same',
      );
    });

  it('because the disk is full keeps all resolved intents, and the next run continues', async function () {
    mkdirSync(temp('.partner'));
    const takeAway = smallDisk(temp('.partner'), 'size=64k');
    if (takeAway === undefined) return this.skip();
    try {
      const journal = await journalOf();
      const promised: string[] = [];
      const fill = async (): Promise<void> => {
        for (let n = 1; ; n++) {
          await journal.intend(intentOf(n, { body: { title: 'x'.repeat(3000) } }));
          promised.push(`${n}.json`);
        }
      };
      await assert.rejects(fill(), refused);
      await journal.close();
      assert.ok(promised.length > 10);
      assert.deepEqual([...(await left()).pending.keys()].slice(0, promised.length), promised);
      const next = await journalOf();
      await next.close();
    } finally {
      await Promise.all(opened.splice(0).map((journal) => journal.close()));
      takeAway();
    }
  });
});

const MOMENTS = times(3, 50);

describe('a journal of a process that', () => {
  it('is killed at any time has every resolved intent, and can be continued', async () => {
    const argv = [await childScript(new URL('journal-run.ts', import.meta.url)), statePath()];
    const promised: string[] = [];
    for (let moment = 0; moment < MOMENTS; moment++) {
      const child = spawn(process.execPath, [...argv, '1000000', '1500'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      child.stdout.on('data', (chunk) => {
        said += chunk;
        if (said.length > 500 + moment * 1777) child.kill('SIGKILL');
      });
      await once(child, 'close');
      promised.push(...said.split('\n').slice(0, -1));
    }
    const { pending, changes } = await left();
    const known = new Set([...pending.keys(), ...keysOf(changes)]);
    for (const key of promised) assert.ok(known.has(key), key);
    assert.ok(pending.size <= MOMENTS * 8, 'no more is open than was in flight');
  });
});

/** Returns the listing keys of changes. */
function keysOf(changes: JournalContent['changes']): string[] {
  return changes.flatMap((change) =>
    change.kind === 'moves' ? change.moves.map(({ key }) => key) : change.key,
  );
}

describe('a state after a journal is folded into it', () => {
  type Jobs = Readonly<Record<string, number>>;
  const entry = (key: string, job: number): OutcomeLine => ({ kind: 'entry', key, entry: entryOf(job) });
  const moves = (...all: readonly (readonly [key: string, job: number, was: string])[]): OutcomeLine => ({
    kind: 'moves',
    moves: all.map(([key, job, was]) => ({ key, was, entry: entryOf(job) })),
  });
  const cases: readonly (readonly [
    what: string,
    before: Jobs,
    lines: readonly OutcomeLine[],
    after: Jobs,
  ])[] = [
    ['has the created jobs', { '2.json': 2 }, [made(1)], { '1.json': 1, '2.json': 2 }],
    [
      'has a renamed listing once, with its new job',
      { a: 1 },
      [moves(['b', 1, 'a']), entry('b', 2)],
      { b: 2 },
    ],
    [
      'has listings that swapped names',
      { a: 1, b: 2 },
      [moves(['b', 1, 'a'], ['a', 2, 'b'])],
      { a: 2, b: 1 },
    ],
    ['has no listing that was removed', { a: 1, b: 2 }, [{ kind: 'forget', key: 'a' }], { b: 2 }],
    [
      'keeps a listing that uses the key of a removed one',
      { a: 1 },
      [entry('a', 2), { kind: 'forget', key: 'a', job: 1 }],
      { a: 2 },
    ],
    [
      'has one listing for a job, the last to claim it',
      { a: 1 },
      [made(1, 5), made(2, 5)],
      { a: 1, '2.json': 5 },
    ],
  ];
  const jobsOf = ({ listings }: BulkState) =>
    Object.fromEntries([...listings].map(([key, { job }]) => [key, job]));

  for (const [what, before, learned, after] of cases)
    it(`${what}, also if it is folded twice`, async () => {
      await written(...learned);
      const content = await left();
      const state = stateOf(before);
      const once = foldJournal(state, content);
      assert.deepEqual(jobsOf(once), after);
      assert.deepEqual(jobsOf(foldJournal(once, content)), after);
      assert.deepEqual(state, stateOf(before), 'the state that was given is as it was');
    });
});

describe('the state of a journal', () => {
  const isTakenBeside = (state: string): boolean => {
    try {
      readJournal(statePath(), SERVER, state);
      return true;
    } catch (error) {
      assert.ok(partnerError('STATE_UNUSABLE', /a different state/)(error));
      return false;
    }
  };

  it('is the one at the start of the run, or the folded one after that is recorded', async () => {
    const journal = await journalOf({ state: 'before' });
    journal.record(made(1));
    await journal.flush();
    assert.deepEqual([isTakenBeside('before'), isTakenBeside('after')], [true, false]);
    journal.record({ kind: 'folded', state: 'after' });
    await journal.close();
    assert.deepEqual([isTakenBeside('before'), isTakenBeside('after')], [true, true]);
    assert.equal(isTakenBeside('newer'), false);
  });

  it('is the last written one for the remaining intents', async () => {
    const journal = await journalOf({ state: 'before' });
    await journal.intend(intentOf(1));
    journal.record({ kind: 'folded', state: 'after' });
    await journal.discard();
    assert.deepEqual([isTakenBeside('before'), isTakenBeside('after')], [false, true]);
  });
});
