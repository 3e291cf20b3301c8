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
import { reasonOf } from '../../contract/system-errors.ts';
import { entryAt, refuseDatabaseLinks } from '../../files/own-file.ts';
import { databaseUnusable } from './address.ts';

/** "PART", in the header of a file of ours. */
export const APPLICATION_ID = 0x50415254;

/** Throws DATABASE_UNUSABLE for a path that this user can't look at: it may be a database. */
export function isThere(path: string): boolean {
  try {
    return entryAt(path) !== undefined;
  } catch (error) {
    throw unusable(path, reasonOf(error), { cause: error });
  }
}

/**
 * Creates the file where it is missing, private to its owner, and checks that it and its directory can be written:
 * SQLite would only fail at the first write. Never opens an existing file, because closing a second handle would drop
 * the locks that SQLite holds on it in this process. Throws LINK_REFUSED and DATABASE_UNUSABLE.
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
    throw error instanceof PartnerError ? error : unusable(path, reasonOf(error), { cause: error });
  }
}

const SQLITE_BUSY = 5;

/** SQLite's result codes that blame the file, not the query; for those without a reason the system is asked. */
const SQLITE_REASONS: Readonly<Record<number, string | undefined>> = {
  3: 'permission denied',
  [SQLITE_BUSY]: 'another process has kept it locked for too long',
  7: 'there is not enough memory',
  8: undefined,
  10: undefined,
  11: 'it is damaged',
  13: 'the disk is full',
  14: undefined,
  15: 'another process has kept it locked for too long',
  26: 'it is not a database',
  // A read that ends too early, which is an I/O error to SQLite.
  [(2 << 8) | 10]: 'it is damaged: it ends too early',
  // Its shared memory cannot grow.
  [(19 << 8) | 10]: 'the disk is full',
};

export function isBusy(error: unknown): boolean {
  const rawCode = (error as { rawCode?: unknown } | undefined)?.rawCode;
  return typeof rawCode === 'number' && (rawCode & 0xff) === SQLITE_BUSY;
}

/** DATABASE_UNUSABLE for an error of SQLite that blames the file; any other error as it is. */
export function translated(error: unknown, path: string): unknown {
  const rawCode = (error as { rawCode?: unknown } | undefined)?.rawCode;
  if (typeof rawCode !== 'number' || !Object.hasOwn(SQLITE_REASONS, rawCode & 0xff)) return error;
  const reason = SQLITE_REASONS[rawCode] ?? SQLITE_REASONS[rawCode & 0xff] ?? systemReason(path);
  const unknown = `the system could not read or write it (SQLite's code ${rawCode})`;
  return unusable(path, reason ?? unknown, { cause: error });
}

export function systemReason(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Gives a check that throws DATABASE_UNUSABLE once the file that is at `path` now was deleted or replaced. */
export function inPlaceCheck(path: string): () => void {
  const { dev, ino } = statSync(path);
  return () => {
    let found: Stats | undefined;
    try {
      found = statSync(path, { throwIfNoEntry: false });
    } catch (error) {
      throw unusable(path, reasonOf(error), { cause: error });
    }
    if (found?.ino === ino && found.dev === dev) return;
    const hint = 'put it back where it was; for a new database, start the engine again';
    throw unusable(path, 'it was deleted, moved or replaced while it was in use', { hint });
  };
}

export function unusable(
  path: string,
  reason: string,
  more: { hint?: string; cause?: unknown } = {},
): PartnerError {
  return databaseUnusable(path, reason, {
    hint: 'make room on the disk, mend the permissions, move the file away if it is damaged, or set PARTNER_DATA_DIR to another directory',
    ...more,
  });
}
