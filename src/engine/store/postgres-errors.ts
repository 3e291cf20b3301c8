import { PartnerError } from '../../contract/errors.ts';
import { getErrorCode } from '../../contract/system-errors.ts';
import { databaseUnusable } from './address.ts';

const WAIT = 'check the server. The engine reconnects as soon as it responds';
const DAMAGED = 'the database is damaged: restore a backup';

const STATE_HINTS: Readonly<Record<string, string>> = {
  '08': WAIT,
  '25006': 'it is read-only, like a standby. Use the address of the primary server',
  '25P03': WAIT,
  '28': "check the user and password in the URL, or PGUSER and PGPASSWORD, and the server's pg_hba.conf",
  '3D000': 'create it with `createdb`, or fix the URL',
  '3F000': 'create a schema, or set another search_path for the user',
  '40003': WAIT,
  '42501': 'grant the user USAGE and CREATE on the schema, and access to its tables',
  '53': WAIT,
  '53100': 'free up disk space on the server',
  '53300': "open fewer connections per process, or raise the server's max_connections",
  '55P03': WAIT,
  '57': WAIT,
  '58': WAIT,
  XX001: DAMAGED,
  XX002: DAMAGED,
};

const NETWORK_HINTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'start the server, or fix the host and port',
  ENOTFOUND: 'fix the host in the URL',
  EAI_AGAIN: 'check the network and DNS',
  ENOENT: 'fix the path of the socket or certificate, or start the server',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'use the host name in its certificate, or accept any certificate with sslmode=no-verify',
};

const CONNECTION = {
  broken: ['the connection was lost or timed out', WAIT],
  silent: ["the server isn't responding", 'check the host, port and firewalls'],
  busy: ['timed out waiting for a free connection of this process', 'allow more connections per process'],
} as const;

const CERTIFICATE = /CERT|SIGNATURE|ISSUER/;
const UNTRUSTED =
  "set sslrootcert=FILE in the URL to the authority's certificate, or accept any certificate with sslmode=no-verify";

function findSqlState(error: unknown): string | undefined {
  return error instanceof Error && 'severity' in error ? getErrorCode(error) : undefined;
}

/** True if the transaction should run again: another one conflicted, or a migration outdated its query plan. */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(findSqlState(error) ?? '') || isPlanOutdated(error);
}

export function isPlanOutdated(error: unknown): boolean {
  return (
    findSqlState(error) === '0A000' && (error as { routine?: string }).routine === 'RevalidateCachedQuery'
  );
}

function isFatal(error: unknown): boolean {
  return (error as { severity?: string }).severity === 'FATAL';
}

/** True if the connection can't be used after this error. Errors without an SQLSTATE always count. */
export function isConnectionLost(error: unknown): boolean {
  const state = findSqlState(error);
  // 25006 means a read-only server. A primary that became a replica still responds on its old connections.
  return state === undefined || isFatal(error) || /^(?:08|57P|25006|25P03|XX)/.test(state);
}

/** Returns DATABASE_UNUSABLE if the server, the network or a missing grant is at fault, otherwise `error`. */
export function translatePostgresError(error: unknown, database: string): unknown {
  const state = findSqlState(error);
  const isOfQuery =
    state === undefined ? error instanceof TypeError : !isFatal(error) && findStateHint(state) === undefined;
  return isOfQuery ? error : unreachable(error, database, 'broken');
}

export function unreachable(error: unknown, database: string, otherwise?: keyof typeof CONNECTION) {
  const [code, state] = [getErrorCode(error), findSqlState(error)];
  // If several addresses of a host refuse the connection, the message of Node's error is empty.
  const said = error instanceof Error ? error.message || code : '';
  const known =
    state === undefined
      ? (NETWORK_HINTS[code] ?? (CERTIFICATE.test(code) ? UNTRUSTED : undefined))
      : findStateHint(state);
  if (known === undefined && otherwise !== undefined) {
    const [reason, hint] = CONNECTION[otherwise];
    return databaseUnusable(database, said === '' ? reason : `${reason} (${said})`, { hint, cause: error });
  }
  // An error without a hint is likely missing TLS support or a missing password, which pg reports without a code.
  const hint = known ?? 'set the password in PGPASSWORD, ~/.pgpass or the URL, or fix its sslmode';
  return databaseUnusable(database, said, { hint, cause: error });
}

export function conflictPersists(error: unknown): PartnerError {
  return new PartnerError('DATABASE_UNUSABLE', {
    message: 'a transaction kept failing because of concurrent transactions',
    hint: 'try again. If the error persists, run fewer processes at once',
    cause: error,
  });
}

function findStateHint(state: string): string | undefined {
  return STATE_HINTS[state] ?? STATE_HINTS[state.slice(0, 2)];
}
