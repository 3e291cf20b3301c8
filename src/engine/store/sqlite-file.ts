import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { getErrorReason } from '../../contract/system-errors.ts';
import { findEntry, refuseDatabaseLinks } from '../../files/own-file.ts';
import { databaseUnusable } from './address.ts';

export const APPLICATION_ID = 0x50415254;

/** Throws DATABASE_UNUSABLE if the user can't access the path, because a database may exist there. */
export function isThere(path: string): boolean {
  try {
    return findEntry(path) !== undefined;
  } catch (error) {
    throw unusable(path, getErrorReason(error), { cause: error });
  }
}

/**
 * Creates a missing file for its owner only, and checks write access early. Never opens an existing file, because
 * closing it would drop this process's SQLite locks on it. Throws LINK_REFUSED and DATABASE_UNUSABLE.
 */
export function prepareFile(path: string): void {
  try {
    refuseDatabaseLinks(path);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    if (statSync(path).isDirectory()) throw unusable(path, 'it is a directory');
    accessSync(path, constants.R_OK | constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw error instanceof PartnerError ? error : unusable(path, getErrorReason(error), { cause: error });
  }
}

const SQLITE_BUSY = 5;

const SQLITE_REASONS: Readonly<Record<number, string | undefined>> = {
  3: 'permission denied',
  [SQLITE_BUSY]: 'another process kept it locked for too long',
  7: 'not enough memory',
  8: undefined,
  10: undefined,
  11: 'it is damaged',
  13: 'the disk is full',
  14: undefined,
  15: 'another process kept it locked for too long',
  26: "it isn't a database",
  // SQLITE_IOERR_SHORT_READ
  [(2 << 8) | 10]: 'it is damaged (cut off)',
  // SQLITE_IOERR_SHMSIZE means that the shared memory file can't grow.
  [(19 << 8) | 10]: 'the disk is full',
};

export function isBusy(error: unknown): boolean {
  const rawCode = (error as { rawCode?: unknown } | undefined)?.rawCode;
  return typeof rawCode === 'number' && (rawCode & 0xff) === SQLITE_BUSY;
}

export function translateSqliteError(error: unknown, path: string): unknown {
  const rawCode = (error as { rawCode?: unknown } | undefined)?.rawCode;
  if (typeof rawCode !== 'number' || !Object.hasOwn(SQLITE_REASONS, rawCode & 0xff)) return error;
  const reason = SQLITE_REASONS[rawCode] ?? SQLITE_REASONS[rawCode & 0xff] ?? systemReason(path);
  const unknown = `the system couldn't read or write it (SQLite code ${rawCode})`;
  return unusable(path, reason ?? unknown, { cause: error });
}

export function systemReason(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    return getErrorReason(error);
  }
}

export function inPlaceCheck(path: string): () => void {
  const { dev, ino } = statSync(path);
  return () => {
    let found: Stats | undefined;
    try {
      found = statSync(path, { throwIfNoEntry: false });
    } catch (error) {
      throw unusable(path, getErrorReason(error), { cause: error });
    }
    if (found?.ino === ino && found.dev === dev) return;
    const hint = 'restore it to its location. For a new database, restart the engine';
    throw unusable(path, 'it was deleted, moved or replaced while it was in use', { hint });
  };
}

export function unusable(
  path: string,
  reason: string,
  more: { hint?: string; cause?: unknown } = {},
): PartnerError {
  return databaseUnusable(path, reason, {
    hint: 'free up disk space, fix the permissions, move the file if it is damaged, or set PARTNER_DATA_DIR to another directory',
    ...more,
  });
}
