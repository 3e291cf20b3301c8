import { resolve } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';

/** Where the engine's database is: a file of this machine, or a PostgreSQL server. */
export type DatabaseAddress =
  | { readonly dialect: 'sqlite'; readonly path: string }
  | { readonly dialect: 'postgres'; readonly url: string };

/**
 * What opening may do to a missing, empty or older database: `migrate` brings any to the schema of this release, `write`
 * only a SQLite file, `read` and `serve` none. If there is no SQLite database yet, `read` gets an empty one in memory.
 */
export type Access = 'migrate' | 'write' | 'read' | 'serve';

export function sqliteFile(path: string): DatabaseAddress {
  return { dialect: 'sqlite', path };
}

const SQLITE = /^sqlite:(.+)$/;
const POSTGRES = /^postgres(?:ql)?:\/\//;

/** Reads `sqlite:PATH` or `postgres://…`. Throws USAGE, which names `source` and never a password, for anything else. */
export function parseDatabaseAddress(text: string, source: string): DatabaseAddress {
  const path = SQLITE.exec(text)?.[1];
  if (path !== undefined) return sqliteFile(resolve(path));
  if (POSTGRES.test(text) && URL.canParse(text)) return { dialect: 'postgres', url: text };
  throw new PartnerError('USAGE', {
    message: `${source} must be sqlite:PATH or postgres://USER@HOST:PORT/NAME`,
    hint: /[:@]/.test(text)
      ? "in a user's name or password write @, / and the like percent-encoded; the default is a file of this user"
      : `a file is written as sqlite:${text}`,
  });
}

/** DATABASE_UNUSABLE for a database by its name, which never has a password. */
export function databaseUnusable(
  name: string,
  reason: string,
  more: { readonly hint: string; readonly cause?: unknown },
): PartnerError {
  const message = `the database ${name} cannot be used: ${reason}`;
  return new PartnerError('DATABASE_UNUSABLE', { message, ...more });
}

/** How the database is called in messages and answers: never with a password. */
export function databaseName(address: DatabaseAddress): string {
  if (address.dialect === 'sqlite') return address.path;
  const { protocol, username, host, pathname } = new URL(address.url);
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
}
