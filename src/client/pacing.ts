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
  /** Waits until an attempt may be sent. Throws the signal's reason where that ends the wait. */
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
}

/**
 * A pace that is as fast as the caller allows until the server refuses; from then on a little less than what
 * the server took. A 429, or a 503 with `Retry-After`, stops every call of the pool.
 */
export function createPace({ monotonicNow, sleep, ratePerSecond, onPause }: PaceOptions): Pace {
  let rate = firstRate(monotonicNow(), ratePerSecond);
  const queue: (() => void)[] = [];
  let sleeping: AbortController | undefined;

  const become = (next: Rate): void => {
    const isLonger = next.pausedUntilMs > rate.pausedUntilMs;
    rate = next;
    if (isLonger) onPause?.(rate.pausedUntilMs);
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
        else if (reason === undefined) rate = afterAccepted(rate);
      },
    };
  };
  const letThrough = async (): Promise<void> => {
    while (queue.length > 0) {
      const waitMs = Math.ceil(turnAtMs(rate) - monotonicNow());
      if (waitMs <= 0) {
        queue.shift()?.();
        continue;
      }
      sleeping = new AbortController();
      const { signal } = sleeping;
      await sleep(waitMs, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
    sleeping = undefined;
  };

  const isFree = (): boolean => queue.length === 0 && sleeping === undefined;
  return {
    turnNow: () => (isFree() && turnAtMs(rate) <= monotonicNow() ? take() : undefined),
    turn: (signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const isFirst = isFree();
        const pass = (): void => {
          signal.removeEventListener('abort', giveUp);
          resolve(take());
        };
        const giveUp = (): void => {
          queue.splice(queue.indexOf(pass), 1);
          // Nobody waits any more: the timer would only keep the process alive.
          if (queue.length === 0) sleeping?.abort();
          reject(signal.reason);
        };
        signal.addEventListener('abort', giveUp, { once: true });
        queue.push(pass);
        if (isFirst) letThrough().catch(reject);
      }),
  };
}
