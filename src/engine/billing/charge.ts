import type { BudgetInput } from '../../contract/job.ts';
import { BUDGET_WINDOWS, type BudgetWindow, DAY_MS } from '../../contract/values.ts';

/** Budgets belong to a job or to the whole company (section 8, rule 4). */
export const BUDGET_TARGETS = ['job', 'company'] as const;
export type BudgetTarget = (typeof BUDGET_TARGETS)[number];

export type WindowSpend = Readonly<Record<BudgetWindow, { readonly spentCents: number }>>;

export type Caps = Readonly<
  Record<BudgetTarget, { readonly budgets: readonly BudgetInput[]; readonly spend: WindowSpend }>
>;

export interface FilledWindow {
  readonly target: BudgetTarget;
  readonly window: BudgetWindow;
}

export type ChargeDecision = { readonly outcome: 'none' } | QualifiedDecision;

type QualifiedDecision =
  | { readonly outcome: 'charged'; readonly amountCents: number }
  | { readonly outcome: 'skipped'; readonly amountCents: number; readonly filled: FilledWindow };

export function isFilled(bidCents: number, { window, budgetCents }: BudgetInput, spend: WindowSpend) {
  return spend[window].spentCents + bidCents > budgetCents;
}

/** Returns the first filled window. Checks the job's windows before the company's, and the shortest first. */
export function findFilledWindow(bidCents: number, caps: Caps): FilledWindow | undefined {
  for (const target of BUDGET_TARGETS) {
    const { budgets, spend } = caps[target];
    for (const window of BUDGET_WINDOWS) {
      const budget = budgets.find((one) => one.window === window);
      if (budget !== undefined && isFilled(bidCents, budget, spend)) return { target, window };
    }
  }
  return undefined;
}

/** Charges a qualified applicant's whole bid if it fits every window, otherwise nothing (section 8, rule 5). */
export function decideCharge(bidCents: number, caps: Caps): QualifiedDecision {
  const filled = findFilledWindow(bidCents, caps);
  if (filled !== undefined) return { outcome: 'skipped', amountCents: bidCents, filled };
  return { outcome: 'charged', amountCents: bidCents };
}

/** Spending in each window. Stored per target instead of per budget, so that removing a cap doesn't reset it. */
export type Spend = Readonly<
  Record<BudgetWindow, { readonly startsAt: number; readonly spentCents: number }>
>;

export function withCharge(spend: Spend, amountCents: number): Spend {
  return eachWindow((window) => {
    const { startsAt, spentCents } = spend[window];
    return { startsAt, spentCents: spentCents + amountCents };
  });
}

/** A half-open interval of UTC time, in epoch ms. */
export interface WindowSpan {
  readonly startsAt: number;
  readonly endsAt: number | null;
}

/** Day of the week of 1970-01-01, which was a Thursday (Monday is 0). */
const EPOCH_WEEKDAY = 3;

/** Functions that return the window around a time in epoch ms (docs/service.md, section 8, rule 3). */
const SPANS: Readonly<Record<BudgetWindow, (time: number) => WindowSpan>> = {
  DAILY: (time) => buildDaySpan(Math.floor(time / DAY_MS), 1),
  WEEKLY: (time) => {
    const day = Math.floor(time / DAY_MS);
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

function buildDaySpan(day: number, days: number): WindowSpan {
  return { startsAt: day * DAY_MS, endsAt: (day + days) * DAY_MS };
}
