import { type Journal, type JournalOptions, openJournal } from './journal.ts';
import { type JournalContent, readJournal } from './journal-content.ts';
import { type LockHolder, lockState } from './lock.ts';
import type { BulkState } from './state.ts';
import { replaceStateFile } from './state-directory.ts';
import { findState, type LastRun, readLastRun, readState, writeLastRun } from './state-file.ts';

/** Where a state is kept, with its journal and its lock. Every method throws what the kind of store can fail with. */
export interface StateStore {
  /** How messages and reports call it; never with a password. */
  readonly name: string;
  /** What the listings' keys are relative to, absolute. */
  readonly base: string;
  /** `known` if that is still what is stored. */
  readState(known?: BulkState): Promise<BulkState | undefined>;
  readJournal(server: string, state: string): Promise<JournalContent | undefined>;
  readLastRun(): Promise<LastRun | undefined>;
  /** Throws STATE_LOCKED if another apply holds the lock. */
  lock(self: LockHolder): Promise<StateLock>;
  openJournal(options: JournalOptions): Promise<Journal>;
  replaceState(text: string): Promise<void>;
  writeLastRun(run: LastRun): Promise<void>;
}

interface StateLock {
  release(): void | Promise<void>;
}

/** Throws LINK_REFUSED. */
export function openStateStore(where: Parameters<typeof findState>[0]): StateStore {
  const { path, base } = findState(where);
  return {
    name: path,
    base,
    readState: async (known) => readState(path, known),
    readJournal: async (server, state) => readJournal(path, server, state),
    readLastRun: async () => readLastRun(path),
    lock: (self) => lockState(path, self),
    openJournal: (options) => openJournal(path, options),
    replaceState: async (text) => replaceStateFile(path, text),
    writeLastRun: async (run) => writeLastRun(path, run),
  };
}
