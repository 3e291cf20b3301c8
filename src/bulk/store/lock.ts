import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'libsql';
import { PartnerError } from '../../contract/errors.ts';
import { besideState, forgetFile, makeDirectoryOf } from './replace-file.ts';
import { isObject } from './state-text.ts';
import { notPossible } from './unusable.ts';

/** The lock of a state, which one apply holds while it works. */
export interface StateLock {
  release(): void;
}

/** Which apply holds a lock: shown to a second one, and never used to decide anything. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  /** Since when by that host's clock, in ISO 8601. */
  readonly since: string;
  readonly command: string;
}

/** Two processes that begin at the same moment can briefly be in each other's way. */
const BUSY_TIMEOUT_MS = 100;

/** SQLite's result codes, in the low byte. */
const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;

/** File systems of Linux (statfs(2)) whose locks may not reach the other machines that have them mounted. */
const REMOTE_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
]);

/**
 * Takes the lock of a state: an exclusive transaction on an empty SQLite file, which the kernel ends with its process.
 * Throws STATE_LOCKED with the apply that holds it, and STATE_UNUSABLE where the file cannot be written or locked.
 */
export async function lockState(statePath: string, self: LockHolder): Promise<StateLock> {
  const path = besideState(statePath, '.lock.db');
  const holderPath = besideState(statePath, '.lock');
  makeLockFile(path);
  const remote = REMOTE_FILE_SYSTEMS.get(statfsSync(dirname(path)).type);
  if (remote !== undefined) throw notLockable(path, `it is on ${remote}`);
  const Libsql = (await import('libsql')).default;
  let file: Database | undefined;
  try {
    file = new Libsql(path, { timeout: BUSY_TIMEOUT_MS });
    file.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    file?.close();
    const { rawCode = 0 } = error as { rawCode?: number };
    if ((rawCode & 0xff) === SQLITE_BUSY) throw locked(holderPath);
    if ((rawCode & 0xff) === SQLITE_IOERR) throw notLockable(path, 'its file system refuses', error);
    throw notPossible('written', path, error);
  }
  const held = file;
  noteHolder(holderPath, self);
  return {
    release() {
      forgetFile(holderPath);
      held.exec('rollback');
      held.close();
    },
  };
}

/** Made here and not by SQLite, for the mode that the umask gives and for errors that name their reason. */
function makeLockFile(path: string): void {
  try {
    makeDirectoryOf(path);
    // Never opened twice: closing it would drop the lock that this process may hold on it.
    if (!existsSync(path)) closeSync(openSync(path, 'a'));
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw notPossible('written', path, error);
  }
}

/** A full disk keeps nobody from the lock. */
function noteHolder(path: string, holder: LockHolder): void {
  try {
    writeFileSync(path, `${JSON.stringify(holder)}\n`);
  } catch {
    forgetFile(path);
  }
}

function holderIn(path: string): LockHolder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isObject(value) ? (value as unknown as LockHolder) : undefined;
  } catch {
    return undefined;
  }
}

function locked(holderPath: string): PartnerError {
  const holder = holderIn(holderPath);
  const who =
    holder === undefined
      ? 'another apply'
      : `process ${holder.pid} on ${holder.host} since ${holder.since}: ${holder.command}`;
  return new PartnerError('STATE_LOCKED', {
    message: `the state is locked by ${who}`,
    hint: 'wait until that process has ended, or end it: the lock ends with it',
  });
}

function notLockable(path: string, why: string, cause?: unknown): PartnerError {
  return new PartnerError('STATE_UNUSABLE', {
    message: `${path} cannot be locked: ${why}, so a second apply would not be noticed`,
    hint: 'make sure that no other apply of this state runs, and add --no-lock; or keep the state on a local disk with --state',
    cause,
  });
}
