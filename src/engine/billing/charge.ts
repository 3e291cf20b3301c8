import type { BudgetInput } from '../../contract/job.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../contract/values.ts';
import { eachWindow } from './windows.ts';

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
