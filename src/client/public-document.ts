import { lookup as resolve } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ERRORS, type ErrorCode, PartnerError } from '../contract/errors.ts';
import { withoutPassword } from '../contract/outside-text.ts';
import { isPublicAddress } from '../contract/public-address.ts';
import { isLoopback } from '../contract/uri.ts';
import { DOCUMENT_BYTES_MAX } from '../contract/values.ts';
import { REDIRECTS } from './base-url.ts';
import { type Deadline, startDeadline } from './exchange.ts';
import { networkFailure, unreachable } from './failure.ts';
import { type NetworkOptions, openNetwork } from './network.ts';
import { backoffMs, retryAfterMs } from './retry.ts';

export interface PublicDocument {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
}

export interface PublicReaderOptions extends Omit<NetworkOptions, 'allowInsecure'> {
  readonly userAgent: string;
  /** For a whole document: every attempt, the waits between them, and the body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const MAX_REDIRECTS = 5;
const MAX_ATTEMPTS = 3;
const ACCEPT = 'application/json, application/xml;q=0.9, text/html;q=0.8';
const HINT = 'look at the address in a browser, or save the document yourself and import the file';

/** Statuses that mean something for somebody without a key. */
const REFUSALS: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  401: ['FORBIDDEN', 'it is not open to everybody'],
  403: ['FORBIDDEN', 'it is not open to everybody'],
  404: ['NOT_FOUND', 'there is nothing at this address'],
  410: ['NOT_FOUND', 'there is nothing at this address any more'],
  429: ['RATE_LIMITED', 'it was asked too often'],
};

/** What may be another answer a little later. */
const REPEATED: readonly ErrorCode[] = ['RATE_LIMITED', 'SERVER_FAILED', 'UNREACHABLE'];

/** Reads what anybody may read: GET alone, without a key or cookies, bounded in size and time. */
export function openPublicReader(options: PublicReaderOptions) {
  const network = openNetwork({ ...options, allowInsecure: false });
  // Apart from the first: a connection to an address that the user gave isn't reused for a redirect.
  const publicNetwork = openNetwork({ ...options, allowInsecure: false, lookup: publicLookup });
  const monotonicNow = () => performance.now();
  const request = {
    method: 'GET',
    headers: new Headers({ accept: ACCEPT, 'user-agent': options.userAgent }),
  };

  const attempt = async (address: URL, deadline: Deadline): Promise<PublicDocument> => {
    let url = address;
    let way = network;
    try {
      for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
        const response = await deadline.within(way.sendOnce(url, request, deadline.signal));
        const { status, body, headers } = response;
        const location = REDIRECTS.includes(status) ? headers.get('location') : null;
        if (status < 300) {
          const bytes = await deadline.within(boundedBytes(url, body));
          return { bytes, contentType: headers.get('content-type') ?? undefined };
        }
        await body?.cancel();
        if (location === null) throw refused(url, response);
        const target = redirected(url, location);
        if (way === publicNetwork || !isSameMachine(url, target)) {
          way = publicNetwork;
          await deadline.within(assertPublic(url, target));
        }
        url = target;
      }
    } catch (error) {
      if (deadline.signal.aborted) throw deadline.signal.reason;
      const failure = networkFailure(error);
      if (failure === undefined) throw error;
      const unreached = unreachable(url.href, failure, error);
      throw unreached.hint === ERRORS.UNREACHABLE.next ? unreached.with({ hint: HINT }) : unreached;
    }
    throw unreadable(url, `redirects more than ${MAX_REDIRECTS} times`);
  };

  return {
    /** Throws NOT_FOUND, UNREACHABLE, TIMED_OUT and others, each with the address. */
    async read(address: string): Promise<PublicDocument> {
      const url = publicUrl(address);
      if (url === undefined) {
        const shown = withoutPassword(address);
        const message = `this is no address of a public document: ${JSON.stringify(shown)}`;
        const hint = 'give an http:// or https:// address without a user name or a password';
        throw new PartnerError('USAGE', { message, hint });
      }
      const deadline = startDeadline({ ...options, monotonicNow });
      try {
        for (let count = 1; ; count++) {
          try {
            return await attempt(url, deadline);
          } catch (error) {
            if (!(error instanceof PartnerError) || !REPEATED.includes(error.code)) throw error;
            const waitMs = Math.max(backoffMs(count, Math.random()), 1000 * (error.retryAfterSeconds ?? 0));
            if (count === MAX_ATTEMPTS || waitMs >= deadline.atMs - monotonicNow()) throw error;
            await deadline.within(sleep(waitMs, undefined, { signal: deadline.signal }));
          }
        }
      } finally {
        deadline.end();
      }
    },
    async close(): Promise<void> {
      await Promise.all([network.close(), publicNetwork.close()]);
    },
  };
}

function refused(url: URL, { status, headers }: Response): PartnerError {
  const [code, why] =
    REFUSALS[status] ?? (status >= 500 ? ['SERVER_FAILED', 'also after retries'] : ['ANSWER_UNREADABLE']);
  const message = `${url} answered ${status}${why === undefined ? '' : `: ${why}`}`;
  const waitMs = retryAfterMs(headers.get('retry-after') ?? '', Date.now());
  return new PartnerError(code, { status, message, hint: HINT, retryAfterSeconds: waitMs && waitMs / 1000 });
}

function publicUrl(address: string, from?: URL): URL | undefined {
  const url = URL.canParse(address, from) ? new URL(address, from) : undefined;
  const isWeb = url !== undefined && /^https?:$/.test(url.protocol);
  return isWeb && url.username === '' && url.password === '' ? url : undefined;
}

function redirected(from: URL, location: string): URL {
  const target = publicUrl(location, from);
  if (target !== undefined) return target;
  throw unreadable(
    from,
    'redirects to an address that is not followed: another scheme, a password or a user name',
  );
}

/** An IP address or localhost may redirect to itself. A hostname may not, because it can resolve differently later. */
function isSameMachine(from: URL, target: URL): boolean {
  return isLoopback(from.hostname)
    ? isLoopback(target.hostname)
    : from.hostname === target.hostname && isIP(bareHost(from)) !== 0;
}

const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** A proxy resolves names itself, so the connection can't be checked. Names that only the proxy can resolve are allowed. */
async function assertPublic(from: URL, target: URL): Promise<void> {
  const found = await lookup(bareHost(target), { all: true }).catch(() => []);
  const inside = found.find(({ address }) => !isPublicAddress(address));
  if (inside !== undefined)
    throw unreadable(from, `redirects to ${target.origin}: ${notPublic(inside.address)}`, REDIRECT_HINT);
}

/** Checks the IP addresses of connections, because a name can resolve differently after `assertPublic`. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, found) => {
    const [first] = found ?? [];
    const inside = found?.find(({ address }) => !isPublicAddress(address));
    if (error !== null || first === undefined) return callback(error, '');
    if (inside !== undefined) {
      const message = `a redirect leads to ${hostname}: ${notPublic(inside.address)}`;
      return callback(new PartnerError('ANSWER_UNREADABLE', { message, hint: REDIRECT_HINT }), '');
    }
    if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  });
};

const notPublic = (address: string): string =>
  `${address} isn't an address of the public internet, and a redirect there is not followed`;

const REDIRECT_HINT = 'if you trust it, pass that URL itself, or save the document and import the file';

async function boundedBytes(url: URL, body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Counted after decompression; leaving the loop cancels the stream.
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > DOCUMENT_BYTES_MAX)
      throw unreadable(url, `answered with more than ${DOCUMENT_BYTES_MAX / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function unreadable(url: URL, what: string, hint = HINT): PartnerError {
  return new PartnerError('ANSWER_UNREADABLE', { message: `${url} ${what}`, hint });
}
