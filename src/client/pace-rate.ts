import { backoffMs } from './retry.ts';

/**
 * After a refusal the pool sends this part of what the server took, and more of it with each second, ever
 * faster: a limit is met again after some five, and refusals that come by chance do not slow the pool down for good.
 */
const AFTER_REFUSAL = 0.9;
const GROWTH_PER_SECOND = 0.03;
/** One refusal more than halves no rate: what was measured in a short time may be chance. */
const LEAST_LEFT = 0.5;
const SHORTEST_MEASURE_MS = 1_000;
/** How late a turn may come and still count as on time: timers are, and the rate is not to suffer. */
const LATENESS_MS = 20;

/** How fast a pool of calls may send, and until when not at all. Times are on a clock that only goes forward. */
export interface Rate {
  /** What the caller allows; Infinity for no limit. */
  readonly mostPerSecond: number;
  /** What the server took before it refused more, and from when on that is sent again. */
  readonly taken:
    | { readonly perSecond: number; readonly fromMs: number; readonly refusedAtMs: number }
    | undefined;
  readonly nextTurnAtMs: number;
  readonly pausedUntilMs: number;
  /** The answers that were no refusal since `countedFromMs`. */
  readonly accepted: number;
  readonly countedFromMs: number;
  /** How often the server has refused since it last accepted anything. */
  readonly refusals: number;
}

/** The rate before anything is sent: as fast as the caller allows. */
export function firstRate(nowMs: number, mostPerSecond = Number.POSITIVE_INFINITY): Rate {
  return {
    mostPerSecond,
    taken: undefined,
    nextTurnAtMs: nowMs,
    pausedUntilMs: nowMs,
    accepted: 0,
    countedFromMs: nowMs,
    refusals: 0,
  };
}

/** When the next attempt may be sent. */
export function turnAtMs({ nextTurnAtMs, pausedUntilMs }: Rate): number {
  return Math.max(nextTurnAtMs, pausedUntilMs);
}

/** How many attempts a second are sent now; Infinity where nothing limits them. */
export function perSecond({ mostPerSecond, taken }: Rate, nowMs: number): number {
  if (taken === undefined) return mostPerSecond;
  const growth = (GROWTH_PER_SECOND * Math.max(0, nowMs - taken.fromMs)) / 1000;
  return Math.min(mostPerSecond, taken.perSecond * (AFTER_REFUSAL + growth + 2 * growth ** 2));
}

/** The rate after an attempt was sent: attempts are spaced evenly, whatever there was to send before. */
export function afterTurn(rate: Rate, nowMs: number): Rate {
  const onTimeMs = Math.max(turnAtMs(rate), nowMs - LATENESS_MS);
  return { ...rate, nextTurnAtMs: onTimeMs + 1000 / perSecond(rate, nowMs) };
}

/** The rate after an answer that was no refusal. */
export function afterAccepted(rate: Rate): Rate {
  return { ...rate, accepted: rate.accepted + 1, refusals: 0 };
}

export interface Refused {
  /** When the refused attempt was sent. */
  readonly sentAtMs: number;
  readonly nowMs: number;
  /** Undefined where the server did not say. */
  readonly retryAfterMs: number | undefined;
}

/**
 * The rate after a 429: nothing before the server allows it, and then no more than it took on average since
 * the last time. The refusals of what was under way together count as one.
 */
export function afterRefused(rate: Rate, { sentAtMs, nowMs, retryAfterMs }: Refused): Rate {
  const isSameRefusal = rate.taken !== undefined && sentAtMs <= rate.taken.refusedAtMs;
  const refusals = isSameRefusal ? rate.refusals : rate.refusals + 1;
  const paused = afterPause(
    { ...rate, refusals },
    nowMs,
    retryAfterMs ?? backoffMs(Math.max(1, refusals), 1),
  );
  const fromMs = paused.pausedUntilMs;
  if (rate.taken !== undefined && isSameRefusal) return { ...paused, taken: { ...rate.taken, fromMs } };
  const measuredMs = Math.max(SHORTEST_MEASURE_MS, nowMs - rate.countedFromMs);
  const measured = (Math.max(1, rate.accepted) / measuredMs) * 1000;
  const before = perSecond(rate, nowMs);
  const least = rate.taken === undefined ? 0 : before * LEAST_LEFT;
  const taken = { perSecond: Math.min(before, Math.max(measured, least)), fromMs, refusedAtMs: nowMs };
  // Nothing is sent until the pause is over: it says nothing of what the server takes.
  return { ...paused, taken, accepted: 0, countedFromMs: fromMs };
}

/** The rate after the server asked to be left alone. */
export function afterPause(rate: Rate, nowMs: number, pauseMs: number): Rate {
  return { ...rate, pausedUntilMs: Math.max(rate.pausedUntilMs, nowMs + pauseMs) };
}
