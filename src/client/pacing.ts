import { PartnerError } from '../contract/errors.ts';
import {
  afterAccepted,
  afterPause,
  afterRefused,
  afterTurn,
  firstRate,
  type Rate,
  turnAtMs,
} from './pace-rate.ts';
import type { RetryReason } from './retry.ts';

/** One gate for all calls of a pool: every attempt passes it, in the order in which they came. */
export interface Pace {
  /** A turn at once, where nobody waits and nothing has to be waited for. */
  turnNow(): Turn | undefined;
  /**
   * Waits until an attempt may be sent. Throws the signal's reason where that ends the wait, and WAIT_TOO_LONG from the
   * moment on at which the server asks for more than `maxWaitMs`.
   */
  turn(signal: AbortSignal): Promise<Turn>;
}

/** An attempt that may be sent now. */
export interface Turn {
  /** Says what came of it: `undefined` for an answer that is no failure, and how long the server asks to be left alone. */
  ended(reason: RetryReason | undefined, retryAfterMs: number | undefined): void;
}

export interface PaceOptions {
  /** Milliseconds that only go forward. */
  readonly monotonicNow: () => number;
  readonly sleep: (waitMs: number, signal: AbortSignal) => Promise<void>;
  /** The most attempts a second, evenly spaced; no limit where it is not given. */
  readonly ratePerSecond?: number | undefined;
  /** Told until when the whole pool waits, on the clock of `monotonicNow`, each time that this moves. */
  readonly onPause?: ((untilMs: number) => void) | undefined;
  /** The longest that the pool waits since it got an answer that is no refusal; no limit where it is not given. */
  readonly maxWaitMs?: number | undefined;
}

/** setTimeout takes no more. */
const LONGEST_SLEEP_MS = 2 ** 31 - 1;

/**
 * A pace that is as fast as the caller allows until the server refuses; from then on a little less than what
 * the server took. A 429, or a 503 with `Retry-After`, stops every call of the pool.
 */
export function createPace(options: PaceOptions): Pace {
  const { monotonicNow, sleep, ratePerSecond, onPause, maxWaitMs = Number.POSITIVE_INFINITY } = options;
  let rate = firstRate(monotonicNow(), ratePerSecond);
  const queue: { readonly pass: () => void; readonly refuse: (reason: unknown) => void }[] = [];
  let sleeping: AbortController | undefined;
  let refusedSinceMs: number | undefined;
  let tooLong: PartnerError | undefined;

  const become = (next: Rate): void => {
    const isLonger = next.pausedUntilMs > rate.pausedUntilMs;
    rate = next;
    if (!isLonger || tooLong !== undefined) return;
    refusedSinceMs ??= monotonicNow();
    if (rate.pausedUntilMs - refusedSinceMs <= maxWaitMs) {
      onPause?.(rate.pausedUntilMs);
      return;
    }
    tooLong = waitTooLong(rate.pausedUntilMs - monotonicNow(), maxWaitMs);
    for (const { refuse } of queue.splice(0)) refuse(tooLong);
    sleeping?.abort();
  };
  const take = (): Turn => {
    const sentAtMs = monotonicNow();
    rate = afterTurn(rate, sentAtMs);
    return {
      ended(reason, retryAfterMs) {
        const nowMs = monotonicNow();
        if (reason === 'rate-limited') become(afterRefused(rate, { sentAtMs, nowMs, retryAfterMs }));
        else if (reason === 'unavailable' && retryAfterMs !== undefined)
          become(afterPause(rate, nowMs, retryAfterMs));
        else if (reason === undefined) {
          rate = afterAccepted(rate);
          refusedSinceMs = undefined;
        }
      },
    };
  };
  const letThrough = async (): Promise<void> => {
    while (queue.length > 0) {
      const waitMs = Math.ceil(turnAtMs(rate) - monotonicNow());
      if (waitMs <= 0) {
        queue.shift()?.pass();
        continue;
      }
      sleeping = new AbortController();
      const { signal } = sleeping;
      await sleep(Math.min(waitMs, LONGEST_SLEEP_MS), signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
    sleeping = undefined;
  };

  const isFree = (): boolean => queue.length === 0 && sleeping === undefined && tooLong === undefined;
  return {
    turnNow: () => (isFree() && turnAtMs(rate) <= monotonicNow() ? take() : undefined),
    turn: (signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        if (tooLong !== undefined) throw tooLong;
        const isFirst = isFree();
        const waiter = {
          pass(): void {
            signal.removeEventListener('abort', giveUp);
            resolve(take());
          },
          refuse(reason: unknown): void {
            signal.removeEventListener('abort', giveUp);
            reject(reason);
          },
        };
        const giveUp = (): void => {
          queue.splice(queue.indexOf(waiter), 1);
          // Nobody waits any more: the timer would only keep the process alive.
          if (queue.length === 0) sleeping?.abort();
          reject(signal.reason);
        };
        signal.addEventListener('abort', giveUp, { once: true });
        queue.push(waiter);
        if (isFirst) letThrough().catch(reject);
      }),
  };
}

function waitTooLong(askedMs: number, maxWaitMs: number): PartnerError {
  const needed = Math.ceil((askedMs + maxWaitMs) / 60_000);
  return new PartnerError('WAIT_TOO_LONG', {
    message: `the server asks to be left alone for ${Math.ceil(askedMs / 1000)} s, which is longer than it is waited for`,
    hint: `run it again then, or let it wait longer: --max-wait ${needed}m`,
  });
}
