import { BUDGET_WINDOWS, type BudgetWindow } from '../../contract/values.ts';
import { eachWindow, windowAt } from './windows.ts';

interface Counter {
  /** When the window began, in epoch ms. */
  readonly startsAt: number;
  readonly spentCents: number;
}

/**
 * What a job or a company has spent, for each kind of window in the one it was last charged in. It belongs to the target,
 * not to a budget, so that clearing a cap and setting it again forgets nothing.
 */
export type Spend = Readonly<Record<BudgetWindow, Counter>>;

/** The windows of `now` (epoch ms) that were not counted last. */
export function uncounted(spend: Spend | undefined, now: number): readonly BudgetWindow[] {
  return BUDGET_WINDOWS.filter((window) => spend?.[window].startsAt !== windowAt(window, now).startsAt);
}

/** The spend in the windows of `now` (epoch ms): as it was counted, else as `charged` gives it in cents. */
export function spendAt(
  spend: Spend | undefined,
  now: number,
  charged: Readonly<Partial<Record<BudgetWindow, number>>> = {},
): Spend {
  return eachWindow((window) => {
    const { startsAt } = windowAt(window, now);
    const counter = spend?.[window];
    return counter?.startsAt === startsAt ? counter : { startsAt, spentCents: charged[window] ?? 0 };
  });
}

export function withCharge(spend: Spend, amountCents: number): Spend {
  return eachWindow((window) => {
    const { startsAt, spentCents } = spend[window];
    return { startsAt, spentCents: spentCents + amountCents };
  });
}
