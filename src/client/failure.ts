import { PartnerError } from '../contract/errors.ts';
import type { RetryReason } from './retry.ts';

export interface NetworkFailure {
  readonly reason: Extract<RetryReason, 'connect-failed' | 'connection-lost' | 'cannot-connect'>;
  readonly words: string;
  readonly hint?: string | undefined;
  /** The `host:port` or name that was in fact tried: behind a proxy it is not the base URL's. */
  readonly tried?: string | undefined;
}

/** `neverOpened` is set by `network.ts` where the error came before there was a connection, TLS included. */
type NetworkCause = Partial<
  Record<'code' | 'syscall' | 'neverOpened' | 'message' | 'address' | 'port' | 'hostname' | 'cause', unknown>
> & { readonly errors?: readonly unknown[] };

const TRUST_HINT =
  'if your network signs its own certificates, set PARTNER_CA_FILE to the file of its authority; otherwise check --base-url';
const TOO_SLOW = 'the connection did not open in time';

type Row = readonly [reason: NetworkFailure['reason'], words: string, hint?: string];

const UNTRUSTED: Row = [
  'cannot-connect',
  'its certificate is signed by no authority that this machine trusts',
  TRUST_HINT,
];
// The bytes that break the handshake also break a connection that a request was sent on already.
const NO_TLS: Row = [
  'connection-lost',
  'what listens there does not speak https',
  'is it http://, not https://?',
];
const NO_ROUTE: Row = ['connection-lost', 'the network has no route to it'];
const CUT: Row = ['connection-lost', 'the connection was cut'];

/** A code that is not here counts as lost: the request may have arrived. */
const FAILURES: Readonly<Record<string, Row>> = {
  ECONNREFUSED: ['connect-failed', 'the connection was refused: nothing listens there'],
  ENOTFOUND: ['connect-failed', 'there is no machine of that name'],
  EAI_AGAIN: ['connect-failed', 'the name server does not answer'],
  UND_ERR_CONNECT_TIMEOUT: ['connect-failed', TOO_SLOW],
  UND_ERR_ABORTED: ['connect-failed', 'the proxy would not connect to it', 'check HTTPS_PROXY and NO_PROXY'],
  UND_ERR_INVALID_ARG: [
    'connect-failed',
    'the proxy wants a user name and password',
    'write them into HTTP_PROXY',
  ],
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  CERT_HAS_EXPIRED: ['cannot-connect', 'its certificate has expired'],
  CERT_NOT_YET_VALID: ['cannot-connect', 'its certificate is not valid yet', "check this machine's clock"],
  ERR_TLS_CERT_ALTNAME_INVALID: ['cannot-connect', 'its certificate is for another name'],
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  EHOSTUNREACH: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
  EADDRNOTAVAIL: NO_ROUTE,
  ECONNRESET: CUT,
  EPIPE: CUT,
  ETIMEDOUT: ['connection-lost', 'the connection went silent'],
  UND_ERR_SOCKET: CUT,
  // The ports of other services, which fetch never calls: an error without a code.
  'bad port': [
    'cannot-connect',
    'that port belongs to another kind of service, and is never called',
    'serve the API on another port, and give that in --base-url',
  ],
};

export function networkFailure(error: unknown): NetworkFailure | undefined {
  const causes = causesOf(error);
  const known = causes.find(({ code }) => typeof code === 'string' && Object.hasOwn(FAILURES, code));
  const innermost = known ?? causes.at(-1);
  const isFetchFailure = error instanceof TypeError && causes.length > 1;
  if (innermost === undefined || (known === undefined && !isFetchFailure)) return undefined;
  const [reason, words, hint] = rowOf(innermost);
  return { reason, words, hint, tried: triedBy(innermost) };
}

function rowOf(cause: NetworkCause): Row {
  const row: Row = FAILURES[String(cause.code ?? cause.message)] ?? [
    'connection-lost',
    String(cause.message),
  ];
  if (row[0] !== 'connection-lost') return row;
  // The same codes mean a lost connection and one that never was; `syscall` tells them apart.
  if (cause.syscall === 'connect' || cause.syscall === 'getaddrinfo') {
    return ['connect-failed', cause.code === 'ETIMEDOUT' ? TOO_SLOW : row[1]];
  }
  // Node adds this to a reset while https is being agreed on, and to no other.
  if (Object.hasOwn(cause, 'localAddress'))
    return ['connect-failed', 'it closed the connection before https was agreed on'];
  if (cause.neverOpened !== true) return row;
  const [, words, ...hint] = row;
  return ['connect-failed', words, ...hint];
}

/** An error and what caused it, outermost first; of several attempts to connect, the first counts. */
function causesOf(error: unknown): NetworkCause[] {
  const causes: NetworkCause[] = [];
  for (let current = error; isCause(current) && causes.length < 5; ) {
    causes.push(current);
    current = current.cause ?? current.errors?.[0];
  }
  return causes;
}

function isCause(error: unknown): error is NetworkCause {
  return typeof error === 'object' && error !== null;
}

function triedBy({ address, port, hostname }: NetworkCause): string | undefined {
  if (typeof address === 'string' && typeof port === 'number') {
    return `${address.includes(':') ? `[${address}]` : address}:${port}`;
  }
  return typeof hostname === 'string' ? hostname : undefined;
}

const PROXY_HINT =
  'that is the proxy of the profile, PARTNER_PROXY, HTTPS_PROXY or HTTP_PROXY: correct it, or name the host in NO_PROXY';

export function unreachable(url: string, failure: NetworkFailure, cause: unknown): PartnerError {
  const { protocol, hostname, port } = new URL(url);
  const wantedPort = Number(port) || (protocol === 'https:' ? 443 : 80);
  const wanted = `${hostname}:${wantedPort}`;
  const { words, hint, tried } = failure;
  const isElsewhere = tried !== undefined && tried !== wanted && tried !== hostname;
  const isProxied = isElsewhere && !tried.endsWith(`:${wantedPort}`);
  return new PartnerError('UNREACHABLE', {
    message: `cannot reach ${wanted}: ${words}${isElsewhere ? ` (tried ${tried})` : ''}`,
    hint: hint ?? (isProxied ? PROXY_HINT : undefined),
    cause,
  });
}
