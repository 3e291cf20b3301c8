import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, PartnerError } from '../contract/errors.ts';
import { isLoopback } from '../contract/uri.ts';
import { type Deadline, startDeadline } from './exchange.ts';
import { networkFailure, unreachable } from './failure.ts';
import { type NetworkOptions, openNetwork } from './network.ts';
import { nextAttemptInMs, type RetryReason, retryAfterMs } from './retry.ts';

export interface PublicDocument {
  /** Where it was in the end, after redirects. */
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
}

export interface PublicReaderOptions extends Omit<NetworkOptions, 'allowInsecure'> {
  readonly userAgent: string;
  /** For a whole document: every attempt, the waits between them, and the body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const MAX_ATTEMPTS = 3;
const ACCEPT = 'application/json, application/xml;q=0.9, text/html;q=0.8';
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** What a server may answer to somebody without a key; anything else of 400 and above is no answer to a GET. */
const REFUSALS: Readonly<Record<number, readonly [ErrorCode, string, string]>> = {
  401: ['FORBIDDEN', 'is not open to everybody', 'save the document yourself, and import the file'],
  403: ['FORBIDDEN', 'is not open to everybody', 'save the document yourself, and import the file'],
  404: ['NOT_FOUND', 'does not exist', 'check the address'],
  410: ['NOT_FOUND', 'no longer exists', 'check the address'],
  429: ['RATE_LIMITED', 'was asked for too often', 'wait a moment and try again'],
};

export type PublicReader = ReturnType<typeof openPublicReader>;

/** Reads what anybody may read: GET alone, without a key or cookies, bounded in size and time. */
export function openPublicReader(options: PublicReaderOptions) {
  const network = openNetwork({ ...options, allowInsecure: false });
  const headers = new Headers({ accept: ACCEPT, 'user-agent': options.userAgent });

  const answerOf = async (address: string, deadline: Deadline): Promise<[URL, Response]> => {
    let url = publicUrl(address);
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const response = await deadline.within(
        network.sendOnce(url, { method: 'GET', headers }, deadline.signal),
      );
      const location = response.headers.get('location');
      if (!REDIRECTS.includes(response.status) || location === null) return [url, response];
      await response.body?.cancel();
      url = redirected(url, location);
    }
    throw unreadable(url, `redirects more than ${MAX_REDIRECTS} times`);
  };

  const attempt = async (address: string, deadline: Deadline): Promise<PublicDocument | FailedRead> => {
    try {
      const [url, response] = await answerOf(address, deadline);
      const { status, body } = response;
      if (status >= 300) {
        await body?.cancel();
        return refused(url, response);
      }
      const bytes = await deadline.within(boundedBytes(url, body));
      return { url: url.href, bytes, contentType: response.headers.get('content-type') ?? undefined };
    } catch (error) {
      if (deadline.signal.aborted) throw deadline.signal.reason;
      const failure = networkFailure(error);
      if (failure === undefined) throw error;
      const unreached = unreachable(address, failure, error);
      return { error: unreached.withHint('check the address and the network'), reason: failure.reason };
    }
  };

  return {
    /** Throws NOT_FOUND, UNREACHABLE, TIMED_OUT and others, each with the address. */
    async read(address: string): Promise<PublicDocument> {
      const monotonicNow = () => performance.now();
      const deadline = startDeadline({ ...options, monotonicNow });
      try {
        for (let count = 1; ; count++) {
          const result = await attempt(address, deadline);
          if ('bytes' in result) return result;
          const { error, reason, askedMs } = result;
          const waitMs =
            reason &&
            nextAttemptInMs({
              reason,
              retrySafety: 'idempotent',
              attempt: count,
              retryAfterMs: askedMs,
              isPaced: false,
              leftMs: deadline.atMs - monotonicNow(),
              random: Math.random(),
            });
          if (waitMs === undefined || count >= MAX_ATTEMPTS) throw error;
          await deadline.within(sleep(waitMs, undefined, { signal: deadline.signal }));
        }
      } finally {
        deadline.end();
      }
    },
    close: () => network.close(),
  };
}

interface FailedRead {
  readonly error: PartnerError;
  /** Undefined where the next answer would be the same. */
  readonly reason?: RetryReason | undefined;
  readonly askedMs?: number | undefined;
}

function refused(url: URL, { status, headers }: Response): FailedRead {
  const known = REFUSALS[status];
  if (status >= 500) {
    const error = new PartnerError('SERVER_FAILED', {
      status,
      message: `${url} answered ${status}, also after retries`,
      hint: 'try again later, or save the document yourself and import the file',
    });
    return { error, reason: 'unavailable', askedMs: askedMs(headers) };
  }
  if (known === undefined) return { error: unreadable(url, `answered ${status}`, status) };
  const [code, what, hint] = known;
  const error = new PartnerError(code, { status, message: `${url} ${what} (${status})`, hint });
  return status === 429 ? { error, reason: 'rate-limited', askedMs: askedMs(headers) } : { error };
}

function askedMs(headers: Headers): number | undefined {
  const asked = headers.get('retry-after');
  return asked === null
    ? undefined
    : retryAfterMs(asked, Date.parse(headers.get('date') ?? '') || Date.now());
}

function publicUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
    return url;
  throw new PartnerError('USAGE', {
    message: `this is no address of a public document: ${JSON.stringify(address)}`,
    hint: 'give an http:// or https:// address without a user name or a password',
  });
}

/** A public address has no reason to lead to this machine, where other services listen. */
function redirected(from: URL, location: string): URL {
  const target = URL.canParse(location, from) ? new URL(location, from) : undefined;
  if (target === undefined) throw unreadable(from, 'redirects to something that is no address');
  const isInward = isLoopback(target.hostname) && !isLoopback(from.hostname);
  if (!/^https?:$/.test(target.protocol) || target.username !== '' || target.password !== '' || isInward) {
    throw unreadable(
      from,
      `redirects to ${isInward ? 'this machine' : `${target.protocol} or with a password`}, and is not followed`,
    );
  }
  return target;
}

async function boundedBytes(url: URL, body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Counted after decompression; leaving the loop cancels the stream.
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw unreadable(url, `answered with more than ${MAX_BYTES / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function unreadable(url: URL, what: string, status?: number): PartnerError {
  const hint = 'look at the address in a browser, or save the document yourself and import the file';
  return new PartnerError('ANSWER_UNREADABLE', { status, message: `${url} ${what}`, hint });
}
