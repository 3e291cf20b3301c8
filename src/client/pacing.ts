import { PartnerError } from '../contract/errors.ts';
import { backoffMs, LONGEST_TIMER_MS, type RetryReason } from './retry.ts';

export type Pace = ReturnType<typeof createPace>;

export interface PaceOptions {
  readonly monotonicNow: () => number;
  readonly sleep: (waitMs: number, signal: AbortSignal) => Promise<void>;
  readonly ratePerSecond?: number | undefined;
  readonly onPause?: ((untilMs: number) => void) | undefined;
  readonly maxWaitMs?: number | undefined;
  readonly stopped?: (() => PartnerError | undefined) | undefined;
}

/** Minimum rate after refusals. It can stay this high, because pauses also limit the rate. */
const LEAST_PER_SECOND = 10;
/** Typical delay of timers. A turn with a longer delay also delays the turns after it. */
const LATENESS_MS = 20;

/** Pauses all calls after a 429, or a 503 with `Retry-After`. A 429 also halves the rate. */
export function createPace(options: PaceOptions) {
  const { monotonicNow, sleep, onPause, stopped, maxWaitMs = Number.POSITIVE_INFINITY } = options;
  const startedAtMs = monotonicNow();
  const tooLong = new AbortController();
  let perSecond = options.ratePerSecond ?? Number.POSITIVE_INFINITY;
  let nextTurnAtMs = startedAtMs;
  let pausedUntilMs = startedAtMs;
  let accepted = 0;
  let refusals = 0;
  let refusedAtMs = Number.NEGATIVE_INFINITY;
  let unansweredSinceMs: number | undefined;
  let waiting = 0;
  let lastInQueue: Promise<unknown> = Promise.resolve();

  const turnAtMs = (): number =>
    stopped?.() ? Number.POSITIVE_INFINITY : Math.max(nextTurnAtMs, pausedUntilMs);

  const slowDown = (sentAtMs: number): void => {
    // Refusals of requests that ran at the same time count as one.
    if (sentAtMs <= refusedAtMs) return;
    refusedAtMs = monotonicNow();
    refusals++;
    const seconds = Math.max(1, (refusedAtMs - startedAtMs) / 1000);
    const rate = Number.isFinite(perSecond) ? perSecond : accepted / seconds;
    perSecond = Math.min(perSecond, Math.max(LEAST_PER_SECOND, rate / 2));
  };

  const pause = (pauseMs: number): void => {
    const untilMs = monotonicNow() + pauseMs;
    if (untilMs <= pausedUntilMs || tooLong.signal.aborted) return;
    pausedUntilMs = untilMs;
    unansweredSinceMs ??= monotonicNow();
    if (untilMs - unansweredSinceMs > maxWaitMs) tooLong.abort(waitTooLong(pauseMs, maxWaitMs));
    else onPause?.(untilMs);
  };

  /** Returns permission to send one attempt. Callers must call `end`, and omit `reason` unless the attempt failed. */
  const take = () => {
    const sentAtMs = monotonicNow();
    nextTurnAtMs = Math.max(turnAtMs(), sentAtMs - LATENESS_MS) + 1000 / perSecond;
    return {
      end(reason: RetryReason | undefined, retryAfterMs: number | undefined): void {
        if (reason === 'rate-limited') {
          slowDown(sentAtMs);
          pause(retryAfterMs ?? backoffMs(Math.max(1, refusals), 1));
        } else if (reason === 'unavailable' && retryAfterMs !== undefined) {
          pause(retryAfterMs);
        } else if (reason === undefined) {
          accepted++;
          refusals = 0;
          unansweredSinceMs = undefined;
        }
      },
    };
  };

  const waitForTurn = async (signal: AbortSignal) => {
    const stop = AbortSignal.any([signal, tooLong.signal]);
    for (;;) {
      stop.throwIfAborted();
      const reason = stopped?.();
      if (reason !== undefined) throw reason;
      const waitMs = Math.ceil(turnAtMs() - monotonicNow());
      if (waitMs <= 0) return take();
      await sleep(Math.min(waitMs, LONGEST_TIMER_MS), stop).catch((error: unknown) => {
        if (!stop.aborted) throw error;
      });
    }
  };

  return {
    turnNow: () =>
      waiting === 0 && !tooLong.signal.aborted && turnAtMs() <= monotonicNow() ? take() : undefined,
    /** Throws the signal's reason, the error of `stopped`, or WAIT_TOO_LONG (see `maxWaitMs`). */
    turn(signal: AbortSignal) {
      waiting++;
      const turn = lastInQueue.then(() => waitForTurn(signal));
      lastInQueue = turn.catch(() => {});
      return turn.finally(() => waiting--);
    },
  };
}

function waitTooLong(askedMs: number, maxWaitMs: number): PartnerError {
  const minutes = Math.ceil((askedMs + maxWaitMs) / 60_000);
  return new PartnerError('WAIT_TOO_LONG', {
    message: `the server requires a wait of ${Math.ceil(askedMs / 1000)} s, longer than --max-wait allows`,
    hint: `try again after that, or pass a longer --max-wait, such as ${minutes}m`,
  });
}
