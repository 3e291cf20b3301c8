import { filledWindow } from '../billing/charge.ts';
import type { Queries } from '../store/store.ts';
import { type CappedRow, cappedJobOf, capsAt } from './caps.ts';

const NO_BUDGETS = '[]';

/**
 * Whether no window of an ACTIVE job's caps is filled at `now` (epoch ms): else candidates are not shown it until
 * the window resets (section 8, rule 5).
 */
export async function isSurfaced(
  ledger: Queries['ledger'],
  job: CappedRow & { readonly bid_cents: number | null },
  now: number,
): Promise<boolean> {
  if (job.budgets === NO_BUDGETS && job.company_budgets === NO_BUDGETS) return true;
  return filledWindow(Number(job.bid_cents), await capsAt(ledger, cappedJobOf(job), now)) === undefined;
}
