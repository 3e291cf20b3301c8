import { resolve } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';

export type DatabaseAddress =
  | { readonly dialect: 'sqlite'; readonly path: string }
  | { readonly dialect: 'postgres'; readonly url: string };

/**
 * Whether opening may create or migrate a database. `migrate` always may, `write` only for SQLite files, and `read` and
 * `serve` never may. If the SQLite file doesn't exist, `read` uses an empty database in memory.
 */
export type Access = 'migrate' | 'write' | 'read' | 'serve';

export function sqliteFile(path: string): DatabaseAddress {
  return { dialect: 'sqlite', path };
}

const SQLITE = /^sqlite:(.+)$/;
const POSTGRES = /^postgres(?:ql)?:\/\//;

/** Parses `sqlite:PATH` or `postgres://…`. Throws USAGE for anything else. The error never contains a password. */
export function parseDatabaseAddress(text: string, source: string): DatabaseAddress {
  const path = SQLITE.exec(text)?.[1];
  if (path !== undefined) return sqliteFile(resolve(path));
  if (POSTGRES.test(text) && URL.canParse(text)) return { dialect: 'postgres', url: text };
  throw new PartnerError('USAGE', {
    message: `${source} must be sqlite:PATH or postgres://USER@HOST:PORT/NAME`,
    hint: /[:@]/.test(text)
      ? "percent-encode characters such as @ and / in the user name and password. The default is the user's SQLite file"
      : `for a file, use sqlite:${text}`,
  });
}

export function databaseUnusable(
  name: string,
  reason: string,
  more: { readonly hint: string; readonly cause?: unknown },
): PartnerError {
  const message = `can't use the database ${name}: ${reason}`;
  return new PartnerError('DATABASE_UNUSABLE', { message, ...more });
}

/** Name of the database for messages and output, without the password. */
export function databaseName(address: DatabaseAddress): string {
  if (address.dialect === 'sqlite') return address.path;
  const { protocol, username, host, pathname } = new URL(address.url);
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
}
