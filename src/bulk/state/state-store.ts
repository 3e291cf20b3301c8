import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Connection } from '../../cli/connection/connect.ts';
import { PartnerError } from '../../contract/errors.ts';
import { attempt } from '../../contract/system-errors.ts';
import { isoTime } from '../../contract/time.ts';
import { createReadError } from '../../listings/read/bytes.ts';
import { pathScope } from '../../listings/read/paths.ts';
import { withoutPassword } from '../../text/outside-text.ts';
import { type Journal, openJournal } from './journal.ts';
import { foldJournal, readJournal } from './journal-content.ts';
import { findFileLock, lockState } from './lock.ts';
import { gitBranch, postgresRow } from './shared-places.ts';
import { type LockWait, SharedState } from './shared-state.ts';
import { type BulkState, emptyState, formatState, stateDigest, textDigest } from './state.ts';
import * as file from './state-file.ts';

export type StateStore = Omit<SharedState, 'place'>;

/** `leaseMs` is how long a shared state stays locked after a killed run. */
export type StateLocation = Parameters<typeof file.findState>[0] & { readonly leaseMs?: number | undefined };

const LEASE_MS = 60_000;

/** Returns where `apply` stores the state for `path`. Throws FILE_UNREADABLE. */
export async function locateState(path = '.', given: Pick<StateLocation, 'stateFlag' | 'leaseMs'>) {
  if (!existsSync(path)) throw await createReadError(path, { code: 'ENOENT' });
  const { root } = await pathScope([path]);
  // `apply` finds this file without --state, so its keys are relative to the parent of `.partner`.
  const [, parent] =
    /^((?:[a-z]:)?(?:[^:]*[\\/])?)\.partner[\\/]state\.json$/i.exec(given.stateFlag ?? '') ?? [];
  const cwd = resolve(parent ?? '.');
  return { ...given, root, cwd, ...(parent === undefined ? {} : { stateFlag: file.buildStatePath(cwd) }) };
}

/** Throws USAGE for an unknown scheme, and LINK_REFUSED. */
export function openStateStore(where: StateLocation): StateStore {
  const { stateFlag = '', leaseMs = LEASE_MS } = where;
  const timeoutMs = Math.max(5000, Math.ceil(leaseMs / 3));
  const isGit = stateFlag.startsWith('git:');
  if (!isGit && !/^postgres(?:ql)?:\/\//.test(stateFlag)) {
    // A one-letter scheme is a Windows drive.
    if (!/^[a-z][a-z\d+.-]+:/i.test(stateFlag)) return directoryStore(file.findState(where));
    throw new PartnerError('USAGE', {
      message: `\`${withoutPassword(stateFlag)}\` isn't a valid state location`,
      hint: 'pass a file, git:BRANCH or a postgres:// URL. If a file name contains a colon, start it with ./',
    });
  }
  const base = file.findSharedBase(where);
  const place = isGit ? gitBranch(stateFlag, base, timeoutMs) : postgresRow(stateFlag, timeoutMs);
  return new SharedState(place, base, leaseMs);
}

function directoryStore({ path, base }: ReturnType<typeof file.findState>): StateStore {
  return {
    name: path,
    base,
    isShared: false,
    readState: async (known) => file.readState(path, known),
    readJournal: async (server, state) => readJournal(path, server, state),
    readLastRun: async () => file.readLastRun(path),
    lock: (self) => lockState(path, self),
    findLock: () => findFileLock(path),
    unlock: async () => false,
    list: async () => [path],
    save: async () => {},
    async remove() {
      for (const each of [file.journalPath(path), file.lastRunPath(path), path])
        file.replaceStateFile(each, undefined);
    },
    findLockLoss: () => undefined,
    openJournal: (options) => openJournal(path, options),
    replaceState: async (text) => file.replaceStateFile(path, text),
    writeLastRun: async (run) => file.writeLastRun(path, run),
  };
}

export interface StateChanger extends LockWait {
  readonly clock: () => number;
  readonly newId: () => string;
  readonly command: string;
}

interface StateChange {
  readonly store: StateStore;
  readonly server: Pick<Connection, 'baseUrl' | 'keyDigest' | 'client'>;
  readonly known: BulkState;
  readonly isLocking: boolean;
}

/** Locks the state, and adds to it what `work` recorded in the journal, even if `work` failed. */
export async function changeState<T>(
  change: StateChange,
  context: StateChanger,
  work: (journal: Journal, saved: BulkState) => Promise<T>,
): Promise<T> {
  const { store, server, known, isLocking } = change;
  const { clock: now, newId, command } = context;
  const [host, { pid }] = [hostname(), process];
  const self = { pid, host, since: new Date(now()).toISOString(), command };
  const lock = isLocking || store.isShared ? await store.lock(self, context) : undefined;
  try {
    // Another run may have written the state before this one got the lock.
    const stored = await store.readState(known);
    const saved = stored ?? known;
    const run = { server: server.baseUrl, keyDigest: server.keyDigest, now, runId: newId(), host, pid };
    const journal = await store.openJournal({ ...run, state: stateDigest(stored) });
    return await work(journal, saved).finally(() => keepChanges(journal, saved, change, context));
  } finally {
    await lock?.release();
  }
}

async function keepChanges(journal: Journal, saved: BulkState, change: StateChange, context: StateChanger) {
  const { store, server } = change;
  if (server.client.traits.honoursIdempotencyKeys && !journal.content.honours)
    journal.record({ kind: 'honours' });
  try {
    const { changes, honours, ignored } = journal.content;
    const isChanged = changes.length + ignored.size > 0 || (honours && !saved.honoursIdempotencyKeys);
    const state = isChanged ? foldJournal(saved, journal.content) : saved;
    if (isChanged && (state.listings.size > 0 || saved.listings.size > 0 || state.ignored)) {
      // The run can be killed between the two writes, so the journal records the digest of the new state first.
      const text = formatState({ ...state, id: state.id ?? context.newId() });
      journal.record({ kind: 'folded', state: textDigest(text) });
      // Ignores a journal error, because writing the state may still succeed or explain the problem.
      await journal.flush().catch(() => {});
      await store.replaceState(text);
    }
    await journal.discard();
  } finally {
    await journal.close();
  }
}

export type StateSummary = Awaited<ReturnType<typeof summarizeState>>;

/** Returns a state as `--json` prints it, including an unfinished run. Throws STATE_UNUSABLE and STATE_UNREACHABLE. */
export async function summarizeState(store: StateStore) {
  const saved = await store.readState();
  const journal = await store.readJournal(undefined, stateDigest(saved));
  const server = saved?.server ?? journal?.server;
  const state = saved ?? emptyState(server ?? '');
  const { listings, ignored } = journal === undefined ? state : foldJournal(state, journal);
  return {
    location: store.name,
    exists: server !== undefined,
    server: server ?? null,
    listings: listings.size,
    pendingCreates: journal?.pending.size ?? 0,
    ignoredJobs: ignored?.length ?? 0,
    failedListings: (await store.readLastRun())?.failed.length ?? 0,
    unfinishedSince: attempt(() => isoTime(journal?.startedAt ?? Number.NaN)) ?? null,
    lock: (await store.findLock()) ?? null,
  };
}

/** Lists the state files of the repository, then those of `stateFlag`. Throws the errors of `summarizeState`. */
export async function listStates(where: StateLocation) {
  const top = file.findSharedBase({ ...where, cwd: resolve(where.cwd, where.root) });
  const { directories, isComplete } = file.stateDirectories(top);
  const given = where.stateFlag === undefined ? [] : await openStateStore(where).list();
  const places: readonly StateLocation[] = [
    ...directories.map((root) => ({ ...where, stateFlag: undefined, root })),
    ...given.map((stateFlag) => ({ ...where, stateFlag })),
  ];
  const states = new Map<string, StateSummary>();
  for (const place of places) {
    const state = await summarizeState(openStateStore(place));
    if (state.exists) states.set(state.location, state);
  }
  return { states: [...states.values()], isComplete };
}
