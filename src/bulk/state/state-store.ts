import { gitBranch } from './git-branch.ts';
import { openJournal } from './journal.ts';
import { readJournal } from './journal-content.ts';
import { lockState } from './lock.ts';
import { postgresRow } from './postgres-row.ts';
import { SharedState } from './shared-state.ts';
import { replaceStateFile } from './state-directory.ts';
import { findState, readLastRun, readState, sharedBase, writeLastRun } from './state-file.ts';

/** Where a state is kept, with its journal and its lock. `SharedState` says what each method does. */
export type StateStore = Omit<SharedState, 'place'>;

type Location = Parameters<typeof findState>[0];

const LEASE_MS = 60_000;

export function openStateStore(where: Location, leaseMs = LEASE_MS): StateStore {
  const { stateFlag = '' } = where;
  const timeoutMs = Math.max(5000, Math.ceil(leaseMs / 3));
  const isGit = stateFlag.startsWith('git:');
  if (!isGit && !/^postgres(?:ql)?:\/\//.test(stateFlag)) return directoryStore(findState(where));
  const base = sharedBase(where);
  const place = isGit ? gitBranch(stateFlag, base, timeoutMs) : postgresRow(stateFlag, timeoutMs);
  return new SharedState(place, base, leaseMs);
}

function directoryStore({ path, base }: ReturnType<typeof findState>): StateStore {
  return {
    name: path,
    base,
    isShared: false,
    readState: async (known) => readState(path, known),
    readJournal: async (server, state) => readJournal(path, server, state),
    readLastRun: async () => readLastRun(path),
    lock: (self) => lockState(path, self),
    lost: () => undefined,
    openJournal: (options) => openJournal(path, options),
    replaceState: async (text) => replaceStateFile(path, text),
    writeLastRun: async (run) => writeLastRun(path, run),
  };
}
