import { randomUUID } from 'node:crypto';
import { OPERATIONS, type OperationName } from '../contract/operations.ts';

export type RetrySafety = 'safe' | 'idempotent' | 'non-idempotent';

const reason = (isAmbiguous: boolean, ...repeated: readonly RetrySafety[]) => ({ isAmbiguous, repeated });

/**
 * Whether the server may have carried the call out, and the calls that are sent again (decisions 14 and 27). Of an unproven
 * server, an unreadable answer is more likely something other than the API.
 */
const REASONS = {
  'connect-failed': reason(false, 'safe', 'idempotent', 'non-idempotent'),
  /** Nothing was sent, and waiting does not help. */
  'cannot-connect': reason(false),
  /** After the request was sent, or before the answer was whole. */
  'connection-lost': reason(true, 'safe', 'idempotent'),
  unavailable: reason(true, 'safe', 'idempotent'),
  failed: reason(true, 'safe', 'idempotent'),
  /** No answer of the contract, and not known to be a refusal. */
  unreadable: reason(true, 'idempotent'),
  /** An answer that leads away from the API, or has no end: the next one would be the same. */
  'bad-redirect': reason(true),
  'rate-limited': reason(false, 'safe', 'idempotent', 'non-idempotent'),
  stopped: reason(true),
};

export type RetryReason = keyof typeof REASONS;

const MAX_ATTEMPTS = 4;
/** Under a pace the deadline stands still while a turn is waited for, and would never end refusals. */
const MAX_PACED_REFUSALS = 12;
const BACKOFF_BASE_MS = 250;
const BACKOFF_MAX_MS = 8_000;

/** What sending the operation again does; a create is harmless only under an honoured key (decision 27). */
export function retrySafetyOf(
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
  /** A pace makes the whole pool wait for as long as the server asks, and no call pays for it. */
  readonly isPaced: boolean;
  readonly leftMs: number;
  readonly random: number;
}

/** Undefined where there must be no further attempt. */
export function nextAttemptInMs(failed: FailedAttempt): number | undefined {
  if (!REASONS[failed.reason].repeated.includes(failed.retrySafety)) return undefined;
  if (failed.attempt >= mostAttempts(failed)) return undefined;
  const askedMs = failed.isPaced ? 0 : (failed.retryAfterMs ?? 0);
  const waitMs = Math.max(backoffMs(failed.attempt, failed.random), askedMs);
  return waitMs < failed.leftMs ? waitMs : undefined;
}

function mostAttempts({ reason, isPaced }: FailedAttempt): number {
  if (reason !== 'rate-limited') return MAX_ATTEMPTS;
  return isPaced ? MAX_PACED_REFUSALS : Number.POSITIVE_INFINITY;
}

export function backoffMs(attempt: number, random: number): number {
  return Math.floor(random * Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** (attempt - 1)));
}

/** Seconds or an HTTP date; undefined where it cannot be read. */
export function retryAfterMs(header: string, nowMs: number): number | undefined {
  const text = header.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text) * 1000), Number.MAX_SAFE_INTEGER);
  // Date.parse takes much that is no date (`-5`, `1e3`); an HTTP date begins with the day's name.
  const at = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

/** A UUIDv7: keys of one time lie side by side in a server's index, where random ones would touch a page each. */
export function newIdempotencyKey(now: number): string {
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
