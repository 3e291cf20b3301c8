import { randomUUID } from 'node:crypto';
import { OPERATIONS, type OperationName } from '../contract/operations.ts';

export type RetrySafety = 'safe' | 'idempotent' | 'non-idempotent';

const reason = (isAmbiguous: boolean, ...repeated: readonly RetrySafety[]) => ({ isAmbiguous, repeated });

/** Defines if the server may have run a failed request, and which calls are retried (decisions 14 and 27). */
const REASONS = {
  'connect-failed': reason(false, 'safe', 'idempotent', 'non-idempotent'),
  'cannot-connect': reason(false),
  'connection-lost': reason(true, 'safe', 'idempotent'),
  unavailable: reason(true, 'safe', 'idempotent'),
  failed: reason(true, 'safe', 'idempotent'),
  unreadable: reason(true, 'idempotent'),
  /** A redirect away from the API, or a response that is too large. A retry would get the same response. */
  'bad-redirect': reason(true),
  'rate-limited': reason(false, 'safe', 'idempotent', 'non-idempotent'),
  stopped: reason(true),
};

export type RetryReason = keyof typeof REASONS;

/** HTTP 501. It isn't retried, because a retry would get the same response. */
export const NOT_IMPLEMENTED = 501;
/** Longest delay that Node's timers support. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

const MAX_ATTEMPTS = 4;
/** Limits refused attempts. With a pace, time in the queue doesn't count toward the deadline. */
const MAX_PACED_REFUSALS = 12;
const BACKOFF_BASE_MS = 250;
const BACKOFF_MAX_MS = 8_000;

/** Returns whether a retry is safe. A create is safe to retry only with a key that the server honors (decision 27). */
export function decideRetrySafety(
  name: OperationName,
  server: { readonly honoursIdempotencyKeys: boolean; readonly isProven: boolean },
): RetrySafety {
  const { method, repeatable } = OPERATIONS[name];
  if (method === 'GET') return server.isProven ? 'idempotent' : 'safe';
  return repeatable === 'always' || server.honoursIdempotencyKeys ? 'idempotent' : 'non-idempotent';
}

export function isAmbiguous(reason: RetryReason): boolean {
  return REASONS[reason].isAmbiguous;
}

export interface FailedAttempt {
  readonly reason: RetryReason;
  readonly retrySafety: RetrySafety;
  readonly attempt: number;
  readonly retryAfterMs: number | undefined;
  readonly isPaced: boolean;
  readonly leftMs: number;
  readonly random: number;
}

export function nextAttemptInMs(failed: FailedAttempt): number | undefined {
  if (!REASONS[failed.reason].repeated.includes(failed.retrySafety)) return undefined;
  const limitedMax = failed.isPaced ? MAX_PACED_REFUSALS : Number.POSITIVE_INFINITY;
  if (failed.attempt >= (failed.reason === 'rate-limited' ? limitedMax : MAX_ATTEMPTS)) return undefined;
  const askedMs = failed.isPaced ? 0 : (failed.retryAfterMs ?? 0);
  const waitMs = Math.max(backoffMs(failed.attempt, failed.random), askedMs);
  return waitMs < failed.leftMs ? waitMs : undefined;
}

export function backoffMs(attempt: number, random: number): number {
  return Math.floor(random * Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** (attempt - 1)));
}

/** Accepts seconds or an HTTP date. Undefined for anything else. */
export function retryAfterMs(header: string, nowMs: number): number | undefined {
  const text = header.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text) * 1000), Number.MAX_SAFE_INTEGER);
  // Date.parse accepts non-dates such as `-5` and `1e3`. An HTTP date starts with the weekday.
  const at = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

/** Returns a UUIDv7. Keys of the same time are adjacent in a server's index, which makes inserts faster. */
export function newIdempotencyKey(now: number): string {
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
