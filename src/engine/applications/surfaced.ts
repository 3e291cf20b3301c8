import type { BudgetInput } from '../../contract/job.ts';
import { isFilled } from '../billing/charge.ts';
import type { Spend } from '../billing/spend.ts';
import type { SpendTarget } from '../store/billing-ledger.ts';
import type { ListedOpeningRow } from '../store/jobs.ts';
import type { Queries } from '../store/store.ts';
import { cappedJobOf, spendOf } from './caps.ts';

/**
 * Says of ACTIVE jobs whether no window of their caps is filled at `now` (epoch ms): else candidates are not shown them
 * until the window resets (section 8, rule 5). Made for one list: what a company has spent is looked up once.
 */
export function surfacing(
  ledger: Queries['ledger'],
  now: number,
): (job: ListedOpeningRow) => Promise<boolean> {
  const ofCompanies = new Map<string, Spend>();
  const spendIn = async (of: SpendTarget, budgets: readonly BudgetInput[]): Promise<Spend> => {
    const windows = budgets.map(({ window }) => window);
    return spendOf(ledger, of, await ledger.spend(of), now, windows);
  };
  return async (job) => {
    const { id, companyId, budgets, companyBudgets } = cappedJobOf(job);
    const isFull = (budget: BudgetInput, spend: Spend) => isFilled(Number(job.bid_cents), budget, spend);
    if (companyBudgets.length > 0) {
      const spend =
        ofCompanies.get(companyId) ?? (await spendIn({ target: 'company', id: companyId }, companyBudgets));
      ofCompanies.set(companyId, spend);
      if (companyBudgets.some((budget) => isFull(budget, spend))) return false;
    }
    if (budgets.length === 0) return true;
    const spend = await spendIn({ target: 'job', id }, budgets);
    return !budgets.some((budget) => isFull(budget, spend));
  };
}
