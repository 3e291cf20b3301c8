import { BUDGET_WINDOWS, type BudgetWindow, DAY_MS } from '../../contract/values.ts';

/** A window as a half-open interval of UTC time, in epoch ms. */
export interface WindowSpan {
  readonly startsAt: number;
  /** Null for a window that never resets. */
  readonly endsAt: number | null;
}

/** 1970-01-01, where epoch time begins, was a Thursday. */
const EPOCH_WEEKDAY = 3;

/** Section 8, rule 3: the window of each kind that a time (epoch ms) lies in. */
const SPANS: Readonly<Record<BudgetWindow, (time: number) => WindowSpan>> = {
  DAILY: (time) => daysFrom(dayOf(time), 1),
  WEEKLY: (time) => {
    const day = dayOf(time);
    return daysFrom(day - ((((day + EPOCH_WEEKDAY) % 7) + 7) % 7), 7);
  },
  MONTHLY: (time) => {
    const date = new Date(time);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    return { startsAt: Date.UTC(year, month), endsAt: Date.UTC(year, month + 1) };
  },
  LIFETIME: () => ({ startsAt: 0, endsAt: null }),
};

export function windowAt(window: BudgetWindow, time: number): WindowSpan {
  return SPANS[window](time);
}

/** The windows of one kind that the half-open interval from `startsAt` to `endsAt` (epoch ms) touches, in their order. */
export function* windowsWithin(window: BudgetWindow, startsAt: number, endsAt: number) {
  for (let at: number | null = startsAt; at !== null && at < endsAt; ) {
    const span: WindowSpan = windowAt(window, at);
    yield span;
    at = span.endsAt;
  }
}

export function eachWindow<T>(give: (window: BudgetWindow) => T): Record<BudgetWindow, T> {
  return {
    DAILY: give('DAILY'),
    WEEKLY: give('WEEKLY'),
    MONTHLY: give('MONTHLY'),
    LIFETIME: give('LIFETIME'),
  };
}

export function shortestFirst<B extends { readonly window: BudgetWindow }>(budgets: readonly B[]): B[] {
  return BUDGET_WINDOWS.flatMap((window) => budgets.filter((budget) => budget.window === window));
}

function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}

function daysFrom(day: number, days: number): WindowSpan {
  return { startsAt: day * DAY_MS, endsAt: (day + days) * DAY_MS };
}
