import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type Libsql from 'libsql';
import { PartnerError } from '../contract/errors.ts';
import { codeOf } from '../contract/system-errors.ts';
import { entryAt, refuseDatabaseLinks } from './own-file.ts';

export interface FileLock {
  release(): void;
}

/** Two processes that begin at the same moment can briefly block each other. */
const BUSY_TIMEOUT_MS = 100;
const ATTEMPTS_MAX = 100;

/** SQLite's result codes, in the low byte. */
const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;

/**
 * An exclusive transaction on an empty SQLite file at `path`: the kernel releases it when the process is killed.
 * Undefined where another process has it. Throws LINK_REFUSED, and what the file system and SQLite say.
 */
export async function takeLock(path: string): Promise<FileLock | undefined> {
  return lockWith((await import('libsql')).default, path);
}

/**
 * Runs `work` while no other process does so for a file of the same directory, so that read, change and write lose
 * nothing. Throws CONFIG_UNREADABLE where another process keeps the lock, and what `takeLock` and `work` throw.
 */
export async function withDirectoryLock<T>(directory: string, work: () => T): Promise<T> {
  // Loaded first: while the lock is held, no other part of this process may run.
  const driver = (await import('libsql')).default;
  const path = join(directory, '.lock');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const lock = lockOrNone(driver, path);
    try {
      if (lock !== undefined) return work();
    } finally {
      lock?.release();
    }
    await pause(1);
  }
  throw new PartnerError('CONFIG_UNREADABLE', {
    message: `another partner process does not let go of ${path}`,
    hint: 'wait until it has ended, or end it: the lock ends with it',
  });
}

/** Without a lock where the file system knows none. */
function lockOrNone(driver: typeof Libsql, path: string): FileLock | undefined {
  try {
    return lockWith(driver, path, 0o600);
  } catch (error) {
    if (isLockless(error)) return { release() {} };
    throw error;
  }
}

/** Whether an error of `takeLock` says that the file system takes no locks. */
export function isLockless(error: unknown): boolean {
  return resultCode(error) === SQLITE_IOERR;
}

function lockWith(driver: typeof Libsql, path: string, mode?: number): FileLock | undefined {
  makeLockFile(path, mode);
  let file: Libsql.Database | undefined;
  try {
    file = new driver(path, { timeout: BUSY_TIMEOUT_MS });
    file.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    file?.close();
    if (resultCode(error) === SQLITE_BUSY) return undefined;
    throw error;
  }
  const held = file;
  return {
    release() {
      held.exec('rollback');
      held.close();
    },
  };
}

function resultCode(error: unknown): number {
  return ((error as { rawCode?: number } | undefined)?.rawCode ?? 0) & 0xff;
}

/**
 * Made here and not by SQLite, for its mode and for errors that name their reason. An existing one is not opened:
 * closing it would drop a lock of this process on it.
 */
function makeLockFile(path: string, mode?: number): void {
  refuseDatabaseLinks(path);
  try {
    if (entryAt(path) === undefined) writeFileSync(path, '', { flag: 'wx', mode });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  accessSync(path, constants.R_OK | constants.W_OK);
}
