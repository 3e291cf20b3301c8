import { BUDGET_WINDOWS, type BudgetWindow, DAY_MS } from '../../contract/values.ts';

/** A half-open interval of UTC time, in epoch ms. */
export interface WindowSpan {
  readonly startsAt: number;
  readonly endsAt: number | null;
}

/** Day of the week of 1970-01-01, which was a Thursday (Monday is 0). */
const EPOCH_WEEKDAY = 3;

/** Functions that return the window around a time in epoch ms (docs/service.md, section 8, rule 3). */
const SPANS: Readonly<Record<BudgetWindow, (time: number) => WindowSpan>> = {
  DAILY: (time) => buildDaySpan(toDayNumber(time), 1),
  WEEKLY: (time) => {
    const day = toDayNumber(time);
    return buildDaySpan(day - ((((day + EPOCH_WEEKDAY) % 7) + 7) % 7), 7);
  },
  MONTHLY: (time) => {
    const date = new Date(time);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    return { startsAt: Date.UTC(year, month), endsAt: Date.UTC(year, month + 1) };
  },
  LIFETIME: () => ({ startsAt: 0, endsAt: null }),
};

export function toWindowSpan(window: BudgetWindow, time: number): WindowSpan {
  return SPANS[window](time);
}

/** Yields the windows that overlap the half-open interval from `startsAt` to `endsAt` (epoch ms), in order. */
export function* listWindows(window: BudgetWindow, startsAt: number, endsAt: number) {
  for (let at: number | null = startsAt; at !== null && at < endsAt; ) {
    const span: WindowSpan = toWindowSpan(window, at);
    yield span;
    at = span.endsAt;
  }
}

export function eachWindow<T>(give: (window: BudgetWindow) => T): Record<BudgetWindow, T> {
  const entries = BUDGET_WINDOWS.map((window) => [window, give(window)]);
  return Object.fromEntries(entries) as Record<BudgetWindow, T>;
}

export function shortestFirst<B extends { readonly window: BudgetWindow }>(budgets: readonly B[]): B[] {
  return BUDGET_WINDOWS.flatMap((window) => budgets.filter((budget) => budget.window === window));
}

function toDayNumber(time: number): number {
  return Math.floor(time / DAY_MS);
}

function buildDaySpan(day: number, days: number): WindowSpan {
  return { startsAt: day * DAY_MS, endsAt: (day + days) * DAY_MS };
}
