import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { getErrorReason, translateErrors } from '../../contract/system-errors.ts';
import { findEntry, refuseDatabaseLinks } from '../../files/own-file.ts';
import { databaseUnusable } from './address.ts';
import sqliteErrors from './sqlite-errors.json' with { type: 'json' };

export const APPLICATION_ID = 0x50415254;

/** Throws DATABASE_UNUSABLE if the user can't access the path, because a database may exist there. */
export function isThere(path: string): boolean {
  return useFile(path, () => findEntry(path) !== undefined);
}

function useFile<T>(path: string, work: () => T): T {
  return translateErrors(work, (cause) =>
    cause instanceof PartnerError ? cause : unusable(path, getErrorReason(cause), { cause }),
  );
}

/**
 * Creates a missing file for its owner only, and checks write access early. Never opens an existing file, because
 * closing it would drop this process's SQLite locks on it. Throws LINK_REFUSED and DATABASE_UNUSABLE.
 */
export function prepareFile(path: string): void {
  useFile(path, () => {
    refuseDatabaseLinks(path);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    if (statSync(path).isDirectory()) throw unusable(path, 'it is a directory');
    accessSync(path, constants.R_OK | constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
  });
}

/** Returns DATABASE_UNUSABLE if the file, the disk or another process is at fault, otherwise `error`. */
export function translateSqliteError(error: unknown, path: string): unknown {
  const rawCode = (error as { rawCode?: unknown } | undefined)?.rawCode;
  if (typeof rawCode !== 'number') return error;
  const known =
    sqliteErrors.find(({ code }) => code === rawCode) ??
    sqliteErrors.find(({ code }) => code === (rawCode & 0xff));
  if (known === undefined) return error;
  const unknown = `the system couldn't read or write it (SQLite code ${rawCode})`;
  return unusable(path, known.reason ?? systemReason(path) ?? unknown, { cause: error });
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
  const look = () => statSync(path, { throwIfNoEntry: false });
  return () => {
    const found = useFile(path, look);
    if (found?.ino === ino && found.dev === dev) return;
    const hint = 'restore it to its location. For a new database, restart the engine';
    throw unusable(path, 'it was deleted, moved or replaced while it was in use', { hint });
  };
}

export function unusable(path: string, reason: string, more: { hint?: string; cause?: unknown } = {}) {
  return databaseUnusable(path, reason, {
    hint: 'free up disk space, fix the permissions, move the file if it is damaged, or set PARTNER_DATA_DIR to another directory',
    ...more,
  });
}
