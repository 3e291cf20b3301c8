import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { moveState } from '../../../src/bulk/state/move-state.ts';
import { type BulkState, formatState } from '../../../src/bulk/state/state.ts';
import { openStateStore, type StateStore } from '../../../src/bulk/state/state-store.ts';
import { partnerError } from '../../cli/settings/partner-error.ts';
import { itOn, makeRepository, STATE_KINDS, type StateKind } from '../../cli/state-rounds.ts';
import { newDatabase, type TestDatabase } from '../../engine/store/postgres-server.ts';
import { tempDirectory } from '../../temp-directory.ts';
import { entryOf, stateOf } from './states.ts';

const SELF = { pid: 42, host: 'ci-1', since: '2026-01-02T03:04:05.000Z', command: 'partner jobs apply' };

/** Keys and create names, relative to `jobs` and then to the repository. */
const KEYS = ['nurse.json', 'team a/cook.csv#3', '../x.json#unlisted-3', '../../x.json', 'stdin#1'];
const REBASED = ['jobs/nurse.json', 'jobs/team a/cook.csv#3', 'x.json#unlisted-3', '../x.json', 'stdin#1'];
const NAMES = ['nurse.json key a//b/../c ', '../nurse.json opening REQ/./5/ x', 'stdin key a'];
const REBASED_NAMES = ['jobs/nurse.json key a//b/../c ', 'nurse.json opening REQ/./5/ x', 'stdin key a'];

const contentIn = (kind: StateKind) => {
  const [keys, names] = kind === 'file' ? [KEYS, NAMES] : [REBASED, REBASED_NAMES];
  const listings = new Map(keys.map((key, at) => [key, entryOf(at + 1)]));
  const creates = new Map(names.map((name, at) => [name, at + 1]));
  const text = formatState({ ...stateOf({}), id: 'random', ignored: [7, 9], creates, listings });
  return { text, lastRun: { at: 1, failed: keys.slice(0, 1) } };
};

const textIn = async (store: StateStore) => formatState((await store.readState()) as BulkState);

describe('a state', () => {
  const temp = tempDirectory();
  let database: TestDatabase | undefined;
  afterEach(() => database?.drop());
  beforeEach(() => {
    database = undefined;
    makeRepository(temp(), 'repo');
    mkdirSync(temp('repo/jobs'));
  });

  async function opener(kind: StateKind): Promise<() => StateStore> {
    if (kind === 'postgres') database = await newDatabase();
    const stateFlag = { file: undefined, git: 'git:partner-state', postgres: database?.url }[kind];
    return () => openStateStore({ stateFlag, root: 'jobs', cwd: temp('repo'), leaseMs: 600_000 });
  }

  async function stored(store: StateStore, { text, lastRun }: ReturnType<typeof contentIn>): Promise<void> {
    const { release } = await store.lock(SELF);
    await store.replaceState(text);
    await store.writeLastRun(lastRun);
    await release();
  }

  for (const from of STATE_KINDS)
    for (const to of STATE_KINDS.filter((kind) => kind !== from))
      itOn(from === 'postgres' ? from : to)(`moves from ${from} to ${to}, also after a failure`, async () => {
        const [openFrom, openTo] = [await opener(from), await opener(to)];
        await stored(openFrom(), contentIn(from));
        const failing = openFrom();
        failing.remove = async () => assert.fail('killed');
        await assert.rejects(moveState(failing, openTo, SELF), /killed/);
        assert.equal(await textIn(openFrom()), contentIn(from).text);
        assert.equal(await textIn(openTo()), contentIn(to).text);
        assert.equal((await moveState(openFrom(), openTo, SELF)).listings, KEYS.length);
        assert.equal(await openFrom().readState(), undefined);
        assert.equal(await textIn(openTo()), contentIn(to).text);
        assert.deepEqual(await openTo().readLastRun(), contentIn(to).lastRun);
        assert.deepEqual([await openFrom().findLock(), await openTo().findLock()], [undefined, undefined]);
      });

  it('is not moved if it is missing, has an unfinished run, or would replace another one', async () => {
    const [file, git] = [await opener('file'), await opener('git')];
    const refuses = (says: RegExp) =>
      assert.rejects(moveState(file(), git, SELF), partnerError('STATE_UNUSABLE', says));
    await refuses(/no state in/);
    await stored(git(), { ...contentIn('git'), text: formatState(stateOf({ a: 1 })) });
    await stored(file(), contentIn('file'));
    await refuses(/already has another state with 1 listing/);
    const run = { server: stateOf({}).server, now: () => 1, runId: 'r', host: 'h', pid: 1 };
    const journal = await file().openJournal(run);
    await journal.flush();
    await journal.close();
    await refuses(/unfinished run/);
    assert.equal(await textIn(git()), formatState(stateOf({ a: 1 })));
  });

  for (const kind of ['git', 'postgres'] as const)
    itOn(kind)(`on ${kind} stays locked if its run renews the lock before the removal`, async () => {
      const open = await opener(kind);
      const [run, seen, later] = [open(), open(), open()];
      const { release } = await run.lock(SELF);
      assert.deepEqual((await seen.findLock())?.holder, SELF);
      await assert.rejects(open().lock(SELF), partnerError('STATE_LOCKED', /`partner state unlock --state /));
      await run.save();
      assert.equal(await seen.unlock(), false);
      assert.ok(Date.parse((await later.findLock())?.expiresAt ?? '') > Date.now());
      assert.equal(await later.unlock(), true);
      assert.equal(await open().findLock(), undefined);
      await assert.rejects(async () => release(), partnerError('STATE_LOCK_LOST'));
    });

  it('with a mistyped scheme is refused, not stored in a file', () => {
    const isRefused = partnerError('USAGE', /isn't a valid state location/, /s3cr/);
    for (const stateFlag of ['gti:x', 'GIT:x', 'postgress://ann:s3cr@db/x'])
      assert.throws(() => openStateStore({ stateFlag, root: '.', cwd: temp() }), isRefused);
  });
});
