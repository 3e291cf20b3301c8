import { PartnerError } from '../../contract/errors.ts';
import { codeOf } from '../../contract/system-errors.ts';

type Reason = readonly [reason: string, hint?: string];

const REFUSED = 'check the user and the password in the address, or in PGUSER and PGPASSWORD';
const WAIT = 'look after the server; the engine uses it again as soon as it answers';

/** SQLSTATE codes, or their first two characters, that blame the server or what it grants us, not the query. */
const STATES: Readonly<Record<string, Reason>> = {
  '08': ['the connection broke', WAIT],
  '25006': ['it only reads, as a standby does', 'give the address of the primary server'],
  '25P03': ['this process kept it waiting amid a transaction'],
  '28': ['the server refuses the user', 'check the user in the address, and pg_hba.conf of the server'],
  '28P01': ['the server refuses the password', REFUSED],
  '3D000': ['the server has no database of that name', 'make it with `createdb`, or correct the address'],
  '3F000': ['no schema of the search_path exists', 'make one, or set another search_path for the user'],
  '40003': ['it is unknown whether the transaction was committed'],
  '42501': [
    'its user may not do this',
    'grant the user USAGE and CREATE on the schema, and its tables to it',
  ],
  '53': ['the server has run out of memory or of another means', WAIT],
  '53100': ["the server's disk is full", 'make room there'],
  '53300': [
    'the server takes no more connections',
    'open fewer from each process, or raise max_connections of the server',
  ],
  '55P03': ['a row was locked by others for too long'],
  '57': ['the server stops or starts', WAIT],
  '57014': ['a statement took too long, and the server ended it'],
  '58': ["the server's system failed", WAIT],
  XX001: ['it is damaged', 'restore a backup'],
  XX002: ['it is damaged', 'restore a backup'],
};

const NETWORK: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: ['nothing answers at its address', 'start the server, or correct host and port'],
  ENOTFOUND: ['no host has that name', 'correct the host in the address'],
  EAI_AGAIN: ['its host name could not be looked up', 'check the network and its name service'],
  ENOENT: [
    'a socket or certificate that its address names is not there',
    'correct the path, or start the server',
  ],
  EACCES: ['this user may not open its socket'],
  ECONNRESET: ['the connection broke', WAIT],
  EPIPE: ['the connection broke', WAIT],
  ETIMEDOUT: ['the server does not answer', 'check host, port and firewalls'],
};

/** Of failures that come without a code. */
const CONNECTION = {
  broken: ['the connection broke, or the server did not answer in time', WAIT],
  silent: ['the server does not answer', 'check host, port and firewalls'],
  busy: ['none of the connections of this process became free in time', 'let each process open more'],
} as const satisfies Record<string, Reason>;

/** In the codes of Node for a certificate that it does not accept. */
const CERTIFICATE = /CERT|SIGNATURE|ISSUER/;
const UNTRUSTED: Reason = [
  'its certificate is not accepted',
  'name the authority with sslrootcert=FILE in the address, or accept any with sslmode=no-verify',
];

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

/** Whether a connection is of no use after an error of a query: none of the server's own, or its last. */
export function isConnectionLost(error: unknown): boolean {
  const state = stateOf(error);
  // A server that was the primary one and only reads now stays reachable over its old connections.
  return state === undefined || /^(?:08|57P|25006|25P03|XX)/.test(state);
}

/** DATABASE_UNUSABLE for a query's error that blames the server, the network or a grant; any other error as it is. */
export function translated(error: unknown, database: string): unknown {
  const state = stateOf(error);
  const isOfQuery = state === undefined ? error instanceof TypeError : reasonOfState(state) === undefined;
  return isOfQuery ? error : unreachable(error, database, 'broken');
}

/** DATABASE_UNUSABLE for whatever error of connecting, or of a connection that broke. */
export function unreachable(
  error: unknown,
  database: string,
  otherwise?: keyof typeof CONNECTION,
): PartnerError {
  const said = error instanceof Error ? error.message : '';
  const [code, state] = [codeOf(error), stateOf(error)];
  const known =
    state === undefined
      ? (NETWORK[code] ?? (CERTIFICATE.test(code) ? UNTRUSTED : otherwise && CONNECTION[otherwise]))
      : reasonOfState(state);
  // Of TLS that is not offered or a password that is missing the driver says in words only.
  const [reason, hint = 'look after the server'] = known ?? [
    said,
    'check sslmode, and the password: in the address or in PGPASSWORD',
  ];
  const detail = known !== undefined && said !== '' ? ` (${said})` : '';
  return unusable(database, reason + detail, { hint, cause: error });
}

export function unusable(
  database: string,
  reason: string,
  more: { hint: string; cause?: unknown },
): PartnerError {
  const message = `the database ${database} cannot be used: ${reason}`;
  return new PartnerError('DATABASE_UNUSABLE', { message, ...more });
}

export function conflictPersists(error: unknown): PartnerError {
  return new PartnerError('DATABASE_UNUSABLE', {
    message: 'the database undid a transaction again and again, because of others at the same time',
    hint: 'try again; if it persists, fewer processes at once may help',
    cause: error,
  });
}

function reasonOfState(state: string): Reason | undefined {
  return STATES[state] ?? STATES[state.slice(0, 2)];
}
