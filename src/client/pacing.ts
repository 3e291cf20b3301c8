import { PartnerError } from '../contract/errors.ts';
import { backoffMs, type RetryReason } from './retry.ts';

/** Every attempt of a pool passes it, in the order in which they came. */
export type Pace = ReturnType<typeof createPace>;

/** An attempt that may be sent now; `ended` without a reason is an answer that is no failure. */
export interface Turn {
  ended(reason: RetryReason | undefined, retryAfterMs: number | undefined): void;
}

export interface PaceOptions {
  readonly monotonicNow: () => number;
  readonly sleep: (waitMs: number, signal: AbortSignal) => Promise<void>;
  readonly ratePerSecond?: number | undefined;
  /** Called with the end of a pause, on the clock of `monotonicNow`, each time that it moves. */
  readonly onPause?: ((untilMs: number) => void) | undefined;
  /** Without an answer that is no refusal. */
  readonly maxWaitMs?: number | undefined;
  /** Why nothing may be sent anymore. Called before each attempt. */
  readonly stopped?: (() => PartnerError | undefined) | undefined;
}

/** No refusal makes the pool slower than this; its pauses hold it back enough. */
const LEAST_PER_SECOND = 10;
/** Timers are late by about as much; a turn that is no later keeps its place in the rhythm. */
const LATENESS_MS = 20;
const LONGEST_SLEEP_MS = 2 ** 31 - 1;

/** A 429, or a 503 with `Retry-After`, pauses the whole pool. After a 429 it also goes on at half its rate. */
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
    // The refusals of what was under way together count as one.
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

  const take = (): Turn => {
    const sentAtMs = monotonicNow();
    nextTurnAtMs = Math.max(turnAtMs(), sentAtMs - LATENESS_MS) + 1000 / perSecond;
    return {
      ended(reason, retryAfterMs) {
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

  const waitForTurn = async (signal: AbortSignal): Promise<Turn> => {
    const stop = AbortSignal.any([signal, tooLong.signal]);
    for (;;) {
      stop.throwIfAborted();
      const reason = stopped?.();
      if (reason !== undefined) throw reason;
      const waitMs = Math.ceil(turnAtMs() - monotonicNow());
      if (waitMs <= 0) return take();
      await sleep(Math.min(waitMs, LONGEST_SLEEP_MS), stop).catch((error: unknown) => {
        if (!stop.aborted) throw error;
      });
    }
  };

  return {
    turnNow: (): Turn | undefined =>
      waiting === 0 && !tooLong.signal.aborted && turnAtMs() <= monotonicNow() ? take() : undefined,
    /** Throws the signal's reason, what `stopped` returns, and WAIT_TOO_LONG once the server asks for more than `maxWaitMs`. */
    turn(signal: AbortSignal): Promise<Turn> {
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
    message: `the server asks to wait ${Math.ceil(askedMs / 1000)} s, longer than --max-wait allows`,
    hint: `run it again then, or allow a longer wait: --max-wait ${minutes}m`,
  });
}
