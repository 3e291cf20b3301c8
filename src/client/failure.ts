import { PartnerError } from '../contract/errors.ts';
import { isObject } from '../contract/values.ts';
import failures from './network-failures.json' with { type: 'json' };
import type { RetryReason } from './retry.ts';

export interface NetworkFailure {
  readonly reason: Extract<RetryReason, 'connect-failed' | 'connection-lost' | 'cannot-connect'>;
  readonly words: string;
  readonly hint?: string | undefined;
  /** The host or `host:port` of the attempt, which differs from the base URL behind a proxy. */
  readonly tried?: string | undefined;
}

/** `network.ts` sets `neverOpened` if the error occurred before the connection was open, including TLS. */
type NetworkCause = Partial<
  Record<'code' | 'syscall' | 'neverOpened' | 'message' | 'address' | 'port' | 'hostname' | 'cause', unknown>
> & { readonly errors?: readonly unknown[] };

/**
 * Failures by error code, or by message for ports that fetch blocks. Unlisted codes count as a lost connection. So does
 * EPROTO, because it can also occur after a request was sent.
 */
const FAILURES = new Map(
  (failures as readonly (NetworkFailure & { readonly codes: readonly string[] })[]).flatMap(
    ({ codes, ...failure }) => codes.map((code) => [code, failure] as const),
  ),
);

export function networkFailure(error: unknown): NetworkFailure | undefined {
  const causes = listCauses(error);
  const known = causes.find(({ code }) => typeof code === 'string' && FAILURES.has(code));
  const innermost = known ?? causes.at(-1);
  const isFetchFailure = error instanceof TypeError && causes.length > 1;
  if (innermost === undefined || (known === undefined && !isFetchFailure)) return undefined;
  return { ...toNetworkFailure(innermost), tried: describeAddress(innermost) };
}

function toNetworkFailure(cause: NetworkCause): NetworkFailure {
  const words = String(cause.message);
  const failure = FAILURES.get(String(cause.code ?? words)) ?? { reason: 'connection-lost', words };
  if (failure.reason !== 'connection-lost') return failure;
  // The same codes can mean a lost or a failed connection. `syscall` distinguishes them.
  if (cause.syscall === 'connect' || cause.syscall === 'getaddrinfo') {
    const words = cause.code === 'ETIMEDOUT' ? 'the connection timed out' : failure.words;
    return { reason: 'connect-failed', words };
  }
  // Node adds this property only to a reset during the TLS handshake.
  if (Object.hasOwn(cause, 'localAddress'))
    return { reason: 'connect-failed', words: 'it closed the connection during the TLS handshake' };
  return cause.neverOpened === true ? { ...failure, reason: 'connect-failed' } : failure;
}

/** Returns the error and its causes, outermost first. Of several connection attempts, only the first counts. */
function listCauses(error: unknown): NetworkCause[] {
  const causes: NetworkCause[] = [];
  for (let current = error as NetworkCause | undefined; isObject(current) && causes.length < 5; ) {
    causes.push(current);
    current = (current.cause ?? current.errors?.[0]) as NetworkCause | undefined;
  }
  return causes;
}

function describeAddress({ address, port, hostname }: NetworkCause): string | undefined {
  if (typeof address === 'string' && typeof port === 'number') {
    return `${address.includes(':') ? `[${address}]` : address}:${port}`;
  }
  return typeof hostname === 'string' ? hostname : undefined;
}

const PROXY_HINT =
  'the proxy is set in the profile, PARTNER_PROXY, HTTPS_PROXY or HTTP_PROXY. Fix it, or add the host to NO_PROXY';

export function unreachable(url: string, failure: NetworkFailure, cause: unknown): PartnerError {
  const { protocol, hostname, port } = new URL(url);
  const wantedPort = Number(port) || (protocol === 'https:' ? 443 : 80);
  const wanted = `${hostname}:${wantedPort}`;
  const { words, hint, tried } = failure;
  const isElsewhere = tried !== undefined && tried !== wanted && tried !== hostname;
  const isProxied = isElsewhere && !tried.endsWith(`:${wantedPort}`);
  return new PartnerError('UNREACHABLE', {
    message: `can't reach ${wanted}: ${words}${isElsewhere ? ` (tried ${tried})` : ''}`,
    hint: hint ?? (isProxied ? PROXY_HINT : undefined),
    cause,
  });
}
