import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { codeOf, reasonOf } from '../../contract/system-errors.ts';
import { refuseDatabaseLinks } from '../../files/own-file.ts';

/** "PART": stands in the file's header and says that the database is ours. */
export const APPLICATION_ID = 0x50415254;

/**
 * Makes sure that there is a file to open at `path`, private to its owner, and that it and its directory
 * can be written: SQLite would open a read-only one and fail later, at the first write.
 * Throws LINK_REFUSED, and DATABASE_UNUSABLE with the reason.
 *
 * An existing file is looked at, never opened: closing a second handle on it would drop the locks that
 * SQLite holds on it in this process.
 */
export function prepareFile(path: string): void {
  try {
    refuseDatabaseLinks(path);
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

const SQLITE_BUSY = 5;

/** SQLite's result codes that mean the file, not the query, by their low byte or whole; those without words need the system's. */
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
};

/** More than SQLite's shared memory takes, which is the first thing that finds no room. */
const PROBE_BYTES = 64 * 1024;

/** Whether an error is SQLite's, and says that another process has the file locked. */
export function isBusy(error: unknown): boolean {
  const rawCode = (error as { rawCode?: unknown } | undefined)?.rawCode;
  return typeof rawCode === 'number' && (rawCode & 0xff) === SQLITE_BUSY;
}

/** An error of SQLite that means the file as DATABASE_UNUSABLE; any other one as it is. */
export function translated(error: unknown, path: string): unknown {
  const rawCode = (error as { rawCode?: unknown } | undefined)?.rawCode;
  if (typeof rawCode !== 'number' || !Object.hasOwn(SQLITE_REASONS, rawCode & 0xff)) return error;
  const reason = SQLITE_REASONS[rawCode] ?? SQLITE_REASONS[rawCode & 0xff] ?? systemReason(path);
  const unknown = `the system could not read or write it (SQLite's code ${rawCode})`;
  return unusable(path, reason ?? unknown, { cause: error });
}

/** SQLite names no cause for some failures: the system does, where a file beside the database fails as well. */
export function systemReason(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    probeDisk(`${path}.${randomBytes(6).toString('hex')}.probe`, statSync(path).size);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Writes a file that begins with a hole of `holeBytes`, and removes it: a limit on files shows too. Throws what the system says. */
function probeDisk(path: string, holeBytes: number): void {
  const file = openSync(path, 'ax', 0o600);
  try {
    ftruncateSync(file, holeBytes);
    writeFileSync(file, Buffer.alloc(PROBE_BYTES));
    fsyncSync(file);
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}

/** Gives a check that the file that is at `path` now still is: it throws DATABASE_UNUSABLE where it was deleted or replaced. */
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

/** DATABASE_UNUSABLE for the file at `path`: why, and what to do about it. */
export function unusable(
  path: string,
  reason: string,
  more: { hint?: string; cause?: unknown } = {},
): PartnerError {
  return new PartnerError('DATABASE_UNUSABLE', {
    message: `the database ${path} cannot be used: ${reason}`,
    hint: 'make room on the disk, mend the permissions, move the file away if it is damaged, or set PARTNER_DATA_DIR to another directory',
    ...more,
  });
}
