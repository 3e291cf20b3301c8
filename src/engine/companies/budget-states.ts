import type { BudgetInput } from '../../contract/job.ts';
import { isoTime } from '../../contract/time.ts';
import { intervalOf, spendOf } from '../applications/caps.ts';
import { isFilled } from '../billing/charge.ts';
import { shortestFirst, windowAt } from '../billing/windows.ts';
import type { SpendTarget } from '../store/billing-ledger.ts';
import type { Queries } from '../store/store.ts';

export type BudgetState = Awaited<ReturnType<typeof budgetStates>>[number];

/** Filled is where `bidCents` no longer fits: a job's bid, or for a company the lowest of its ACTIVE jobs, else a cent. */
export async function budgetStates(
  { billingLedger, jobs }: Pick<Queries, 'billingLedger' | 'jobs'>,
  of: SpendTarget,
  budgets: readonly BudgetInput[],
  now: number,
  bidCents?: number,
) {
  const lowest = of.target === 'company' ? await jobs.lowestBid(String(of.id), now) : undefined;
  const leastCents = bidCents ?? lowest ?? 1;
  const spend = await spendOf(billingLedger, of, await billingLedger.spend(of), now);
  const states = [];
  for (const budget of shortestFirst(budgets)) {
    const { window, budgetCents, notes = null } = budget;
    const span = windowAt(window, now);
    const interval = intervalOf(span);
    states.push({
      window,
      budgetCents,
      notes,
      spentCents: spend[window].spentCents,
      /** Charges that another cap has skipped are counted there. */
      skippedCharges: await billingLedger.skippedBy(of, window, interval),
      // LIFETIME has neither a beginning nor an end.
      startsAt: span.endsAt === null ? null : isoTime(span.startsAt),
      resetsAt: interval.to,
      /** Candidates do not see the job until the window resets, or the cap or the bid changes. */
      isFilled: isFilled(leastCents, budget, spend),
    });
  }
  return states;
}
