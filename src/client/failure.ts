import { PartnerError } from '../contract/errors.ts';
import failures from './network-failures.json' with { type: 'json' };
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

/**
 * Classifies by error code. Ports that fetch blocks have only a message. Unlisted codes count as lost. So does
 * EPROTO, because what breaks a handshake can also break a connection after a request was sent.
 */
const FAILURES = new Map(
  (failures as readonly (NetworkFailure & { readonly codes: readonly string[] })[]).flatMap(
    ({ codes, ...failure }) => codes.map((code) => [code, failure] as const),
  ),
);

export function networkFailure(error: unknown): NetworkFailure | undefined {
  const causes = causesOf(error);
  const known = causes.find(({ code }) => typeof code === 'string' && FAILURES.has(code));
  const innermost = known ?? causes.at(-1);
  const isFetchFailure = error instanceof TypeError && causes.length > 1;
  if (innermost === undefined || (known === undefined && !isFetchFailure)) return undefined;
  return { ...failureOf(innermost), tried: triedBy(innermost) };
}

function failureOf(cause: NetworkCause): NetworkFailure {
  const words = String(cause.message);
  const failure = FAILURES.get(String(cause.code ?? words)) ?? { reason: 'connection-lost', words };
  if (failure.reason !== 'connection-lost') return failure;
  // The same codes mean a lost connection and one that never was; `syscall` tells them apart.
  if (cause.syscall === 'connect' || cause.syscall === 'getaddrinfo') {
    const isSlow = cause.code === 'ETIMEDOUT';
    return {
      reason: 'connect-failed',
      words: isSlow ? 'the connection did not open in time' : failure.words,
    };
  }
  // Node adds this to a reset while https is being agreed on, and to no other.
  if (Object.hasOwn(cause, 'localAddress'))
    return { reason: 'connect-failed', words: 'it closed the connection before https was agreed on' };
  return cause.neverOpened === true ? { ...failure, reason: 'connect-failed' } : failure;
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
