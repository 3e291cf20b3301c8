import { PartnerError } from '../../contract/errors.ts';
import { codeOf } from '../../contract/system-errors.ts';
import { databaseUnusable } from './address.ts';

const WAIT = 'look after the server; the engine uses it again as soon as it answers';
const DAMAGED = 'the database is damaged: restore a backup';

/** For SQLSTATE codes, or their first two characters, that blame the server or what it grants us, not the query. */
const STATE_HINTS: Readonly<Record<string, string>> = {
  '08': WAIT,
  '25006': 'it only reads, as a standby does: give the address of the primary server',
  '25P03': WAIT,
  '28': 'check user and password in the address, or PGUSER and PGPASSWORD, and pg_hba.conf of the server',
  '3D000': 'make it with `createdb`, or correct the address',
  '3F000': 'make a schema, or set another search_path for the user',
  '40003': WAIT,
  '42501': 'grant the user USAGE and CREATE on the schema, and its tables to it',
  '53': WAIT,
  '53100': "make room on the server's disk",
  '53300': 'open fewer connections from each process, or raise max_connections of the server',
  '55P03': WAIT,
  '57': WAIT,
  '58': WAIT,
  XX001: DAMAGED,
  XX002: DAMAGED,
};

const NETWORK_HINTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there: start the server, or correct host and port',
  ENOTFOUND: 'correct the host in the address',
  EAI_AGAIN: 'check the network and its name service',
  ENOENT: 'correct the path of the socket or certificate, or start the server',
  ERR_TLS_CERT_ALTNAME_INVALID: 'name the host as its certificate does, or accept any with sslmode=no-verify',
};

/** Of failures that come without a code. */
const CONNECTION = {
  broken: ['the connection broke, or the server did not answer in time', WAIT],
  silent: ['the server does not answer', 'check host, port and firewalls'],
  busy: ['none of the connections of this process became free in time', 'let each process open more'],
} as const;

/** In the codes of Node for a certificate that it does not accept. */
const CERTIFICATE = /CERT|SIGNATURE|ISSUER/;
const UNTRUSTED =
  'name the authority with sslrootcert=FILE in the address, or accept any certificate with sslmode=no-verify';

function stateOf(error: unknown): string | undefined {
  return error instanceof Error && 'severity' in error ? codeOf(error) : undefined;
}

/** What the server undid because of another transaction, or a plan of before a migration: to be run again. */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(stateOf(error) ?? '') || isPlanOutdated(error);
}

export function isPlanOutdated(error: unknown): boolean {
  return stateOf(error) === '0A000' && (error as { routine?: string }).routine === 'RevalidateCachedQuery';
}

/** The server's last words on a connection; PgBouncer passes on those of its own. */
function isFatal(error: unknown): boolean {
  return (error as { severity?: string }).severity === 'FATAL';
}

/** Whether a connection is of no use after an error of a query: none of the server's own, or its last. */
export function isConnectionLost(error: unknown): boolean {
  const state = stateOf(error);
  // A server that was the primary one and only reads now stays reachable over its old connections.
  return state === undefined || isFatal(error) || /^(?:08|57P|25006|25P03|XX)/.test(state);
}

/** DATABASE_UNUSABLE for a query's error that blames the server, the network or a grant; any other error as it is. */
export function translated(error: unknown, database: string): unknown {
  const state = stateOf(error);
  const isOfQuery =
    state === undefined ? error instanceof TypeError : !isFatal(error) && hintOfState(state) === undefined;
  return isOfQuery ? error : unreachable(error, database, 'broken');
}

/** DATABASE_UNUSABLE for whatever error of connecting, or of a connection that broke. */
export function unreachable(error: unknown, database: string, otherwise?: keyof typeof CONNECTION) {
  const [code, state] = [codeOf(error), stateOf(error)];
  // Where several addresses of a host refuse, Node gives no message.
  const said = error instanceof Error ? error.message || code : '';
  const known =
    state === undefined
      ? (NETWORK_HINTS[code] ?? (CERTIFICATE.test(code) ? UNTRUSTED : undefined))
      : hintOfState(state);
  if (known === undefined && otherwise !== undefined) {
    const [reason, hint] = CONNECTION[otherwise];
    return databaseUnusable(database, said === '' ? reason : `${reason} (${said})`, { hint, cause: error });
  }
  // Of TLS that is not offered or a password that is missing the driver says in words only.
  const hint = known ?? 'give the password in PGPASSWORD, ~/.pgpass or the address, or correct its sslmode';
  return databaseUnusable(database, said, { hint, cause: error });
}

export function conflictPersists(error: unknown): PartnerError {
  return new PartnerError('DATABASE_UNUSABLE', {
    message: 'the database undid a transaction again and again, because of others at the same time',
    hint: 'try again; if it persists, fewer processes at once may help',
    cause: error,
  });
}

function hintOfState(state: string): string | undefined {
  return STATE_HINTS[state] ?? STATE_HINTS[state.slice(0, 2)];
}
