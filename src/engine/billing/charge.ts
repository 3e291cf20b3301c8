import type { BudgetInput } from '../../contract/job.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../contract/values.ts';
import { eachWindow } from './windows.ts';

/** Whose budgets there are: one job's, and the whole company's (section 8, rule 4). */
export const BUDGET_TARGETS = ['job', 'company'] as const;
export type BudgetTarget = (typeof BUDGET_TARGETS)[number];

export type WindowSpend = Readonly<Record<BudgetWindow, { readonly spentCents: number }>>;

/** The caps of a job and of its company, and what is spent of them. No budget for a window means no cap. */
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

/** Whether another bid no longer fits into the window of a budget: `spent + bid <= cap` is what fits. */
export function isFilled(bidCents: number, { window, budgetCents }: BudgetInput, spend: WindowSpend) {
  return spend[window].spentCents + bidCents > budgetCents;
}

/** The first window that a bid no longer fits into: the job's before the company's, the shortest first. */
export function filledWindow(bidCents: number, caps: Caps): FilledWindow | undefined {
  for (const target of BUDGET_TARGETS) {
    const { budgets, spend } = caps[target];
    for (const window of BUDGET_WINDOWS) {
      const budget = budgets.find((one) => one.window === window);
      if (budget !== undefined && isFilled(bidCents, budget, spend)) return { target, window };
    }
  }
  return undefined;
}

/** Section 8, rule 5, for a qualified applicant: the bid, whole, where it fits into every window, else nothing for good. */
export function decideCharge(bidCents: number, caps: Caps): QualifiedDecision {
  const filled = filledWindow(bidCents, caps);
  if (filled !== undefined) return { outcome: 'skipped', amountCents: bidCents, filled };
  return { outcome: 'charged', amountCents: bidCents };
}

/**
 * What a job or a company has spent, for each kind of window in the one it was last charged in. It belongs to the target,
 * not to a budget, so that clearing a cap and setting it again forgets nothing.
 */
export type Spend = Readonly<
  Record<BudgetWindow, { readonly startsAt: number; readonly spentCents: number }>
>;

export function withCharge(spend: Spend, amountCents: number): Spend {
  return eachWindow((window) => {
    const { startsAt, spentCents } = spend[window];
    return { startsAt, spentCents: spentCents + amountCents };
  });
}
