import { accessSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';

/** "PART": stands in the file's header and says that the database is ours. */
export const APPLICATION_ID = 0x50415254;

/**
 * Makes sure that there is a file to open at `path`, private to its owner, and that it and its directory
 * can be written: SQLite would open a read-only one and fail later, at the first write.
 * Throws DATABASE_UNUSABLE with the reason.
 *
 * An existing file is looked at, never opened: closing a second handle on it would drop the locks that
 * SQLite holds on it in this process.
 */
export function prepareFile(path: string): void {
  try {
    if (!isFile(path)) create(path);
    accessSync(path, constants.R_OK | constants.W_OK);
    // SQLite keeps its log beside the file.
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw error instanceof PartnerError ? error : unusable(path, reasonOf(error), { cause: error });
  }
}

function isFile(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw unusable(path, 'it is a directory');
  return found !== undefined;
}

function create(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    // Another process was faster.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

const FILE_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'it or its directory cannot be written by this user',
  EPERM: 'it or its directory cannot be written by this user',
  EROFS: 'it lies on a read-only file system',
  ENOTDIR: 'a part of its path is a file, not a directory',
  EEXIST: 'a part of its path is a file, not a directory',
  ENOSPC: 'the disk is full',
};

function reasonOf(error: unknown): string {
  return FILE_REASONS[codeOf(error)] ?? (error instanceof Error ? error.message : String(error));
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code);
}

const SQLITE_BUSY = 5;

/** The low byte of SQLite's result codes that mean the file, not the query. */
const SQLITE_REASONS: Readonly<Record<number, string>> = {
  [SQLITE_BUSY]: 'another process has kept it locked for too long',
  8: 'it cannot be written by this user',
  10: 'reading or writing it failed',
  11: 'it is damaged',
  13: 'the disk is full',
  14: 'it cannot be opened',
  26: 'it is not a database',
};

/** Whether an error is SQLite's, and says that another process has the file locked. */
export function isBusy(error: unknown): boolean {
  const rawCode = (error as { rawCode?: unknown } | undefined)?.rawCode;
  return typeof rawCode === 'number' && (rawCode & 0xff) === SQLITE_BUSY;
}

/** An error of SQLite that means the file as DATABASE_UNUSABLE; any other one as it is. */
export function translated(error: unknown, path: string): unknown {
  const rawCode = (error as { rawCode?: unknown } | undefined)?.rawCode;
  const reason = typeof rawCode === 'number' ? SQLITE_REASONS[rawCode & 0xff] : undefined;
  return reason === undefined ? error : unusable(path, reason, { cause: error });
}

/** DATABASE_UNUSABLE for the file at `path`: why, and what to do about it. */
export function unusable(
  path: string,
  reason: string,
  more: { hint?: string; cause?: unknown } = {},
): PartnerError {
  return new PartnerError('DATABASE_UNUSABLE', {
    message: `the database ${path} cannot be used: ${reason}`,
    hint: 'move the file away, mend its permissions, or set PARTNER_DATA_DIR to another directory',
    ...more,
  });
}
