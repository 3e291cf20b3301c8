import type { BudgetInput } from '../../contract/job.ts';
import { isoTime } from '../../contract/time.ts';
import type { BudgetWindow } from '../../contract/values.ts';
import { intervalOf, spendOf } from '../applications/caps.ts';
import { isFilled } from '../billing/charge.ts';
import { shortestFirst, windowAt } from '../billing/windows.ts';
import type { SpendTarget } from '../store/billing-ledger.ts';
import type { Queries } from '../store/store.ts';

/** A cap and what became of it in the window of now. */
export interface BudgetState {
  readonly window: BudgetWindow;
  readonly budgetCents: number;
  readonly notes: string | null;
  readonly spentCents: number;
  /** Charges that this cap has skipped in this window: what another cap skipped is counted there. */
  readonly skippedCharges: number;
  /** Null for LIFETIME, which has neither a beginning nor an end. */
  readonly startsAt: string | null;
  readonly resetsAt: string | null;
  /** Another bid does not fit: candidates do not see the job until the window resets, or the cap or the bid changes. */
  readonly isFilled: boolean;
}

/**
 * How the budgets of a target stand at `now` (epoch ms), the shortest window first. They are filled where `bidCents` no
 * longer fits: a job's bid, where it is given; for a company the lowest among its ACTIVE jobs, else a single cent.
 */
export async function budgetStates(
  { ledger, jobs }: Pick<Queries, 'ledger' | 'jobs'>,
  of: SpendTarget,
  budgets: readonly BudgetInput[],
  now: number,
  bidCents?: number,
): Promise<readonly BudgetState[]> {
  if (budgets.length === 0) return [];
  const lowest = of.target === 'company' ? await jobs.lowestBid(String(of.id), now) : undefined;
  const leastCents = bidCents ?? lowest ?? 1;
  const spend = await spendOf(ledger, of, await ledger.spend(of), now);
  const states: BudgetState[] = [];
  for (const budget of shortestFirst(budgets)) {
    const { window, budgetCents, notes = null } = budget;
    const span = windowAt(window, now);
    const interval = intervalOf(span);
    states.push({
      window,
      budgetCents,
      notes,
      spentCents: spend[window].spentCents,
      skippedCharges: await ledger.skippedBy(of, window, interval),
      startsAt: span.endsAt === null ? null : isoTime(span.startsAt),
      resetsAt: interval.to,
      isFilled: isFilled(leastCents, budget, spend),
    });
  }
  return states;
}
