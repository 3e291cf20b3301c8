import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type Libsql from 'libsql';
import { PartnerError } from '../contract/errors.ts';
import { getErrorCode } from '../contract/system-errors.ts';
import { findEntry, refuseDatabaseLinks } from './own-file.ts';

export interface FileLock {
  release(): void;
}

/** Maximum wait for the lock, because two processes that start at the same time can briefly block each other. */
const BUSY_TIMEOUT_MS = 100;
const ATTEMPTS_MAX = 100;

const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;

/**
 * Holds an exclusive transaction on an empty SQLite file, which the kernel releases if the process is killed. Returns
 * undefined if another process has the lock. Throws LINK_REFUSED, and file system and SQLite errors.
 */
export async function takeLock(path: string): Promise<FileLock | undefined> {
  return lockFile((await import('libsql')).default, path);
}

/** Runs `work` under a lock of the directory. Throws CONFIG_UNREADABLE, and the errors of `takeLock` and `work`. */
export async function withDirectoryLock<T>(directory: string, work: () => T): Promise<T> {
  // Loads the driver first, because other code of this process must not run while the lock is held.
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
    message: `${path} is locked by another partner process`,
    hint: 'wait until that process ends, or end it to release the lock',
  });
}

/** Skips locking on file systems without lock support. */
function lockOrNone(driver: typeof Libsql, path: string): FileLock | undefined {
  try {
    return lockFile(driver, path, 0o600);
  } catch (error) {
    if (isLockless(error)) return { release() {} };
    throw error;
  }
}

export async function isLockHeld(path: string): Promise<boolean> {
  refuseDatabaseLinks(path);
  if (findEntry(path) === undefined) return false;
  const file = new (await import('libsql')).default(path, { readonly: true, timeout: 0 });
  try {
    file.exec('select 1 from sqlite_schema');
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    file.close();
  }
}

export function isBusy(error: unknown): boolean {
  return resultCode(error) === SQLITE_BUSY;
}

export function isLockless(error: unknown): boolean {
  return resultCode(error) === SQLITE_IOERR;
}

function lockFile(driver: typeof Libsql, path: string, mode?: number): FileLock | undefined {
  makeLockFile(path, mode);
  let file: Libsql.Database | undefined;
  try {
    file = new driver(path, { timeout: BUSY_TIMEOUT_MS });
    file.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    file?.close();
    if (isBusy(error)) return undefined;
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
 * Creates the file before SQLite does, to set its mode and to get meaningful errors. Doesn't open an existing file,
 * because closing it would release a lock of this process.
 */
function makeLockFile(path: string, mode?: number): void {
  refuseDatabaseLinks(path);
  try {
    if (findEntry(path) === undefined) writeFileSync(path, '', { flag: 'wx', mode });
  } catch (error) {
    if (getErrorCode(error) !== 'EEXIST') throw error;
  }
  accessSync(path, constants.R_OK | constants.W_OK);
}
