import type { BudgetInput } from '../../contract/job.ts';
import { isoTime } from '../../contract/time.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../contract/values.ts';
import { isFilled, type Spend } from '../billing/charge.ts';
import { eachWindow, shortestFirst, type WindowSpan, windowAt } from '../billing/windows.ts';
import type { Interval, SpendTarget } from '../store/billing-ledger.ts';
import type { OpeningRow } from '../store/jobs.ts';
import type { Queries } from '../store/store.ts';

interface CappedJob {
  readonly id: number;
  readonly companyId: string;
  readonly budgets: readonly BudgetInput[];
  readonly companyBudgets: readonly BudgetInput[];
}

export async function capsAt(billingLedger: Queries['billingLedger'], job: CappedJob, now: number) {
  const { id, companyId, budgets, companyBudgets } = job;
  const spends = await billingLedger.spends(id, companyId);
  const ofJob = await spendOf(billingLedger, { target: 'job', id }, spends.job, now);
  const ofCompany = await spendOf(billingLedger, { target: 'company', id: companyId }, spends.company, now);
  return { job: { budgets, spend: ofJob }, company: { budgets: companyBudgets, spend: ofCompany } };
}

export function cappedJobOf(
  row: Pick<OpeningRow, 'id' | 'company_id' | 'budgets' | 'company_budgets'>,
): CappedJob {
  return {
    id: Number(row.id),
    companyId: row.company_id,
    budgets: JSON.parse(row.budgets),
    companyBudgets: JSON.parse(row.company_budgets),
  };
}

/**
 * What a target has spent in the windows of `now` (epoch ms), of which `counted` was counted last. Other windows, as
 * after the clock was moved, are added up from the ledger; kinds that are not in `windows` may then hold less.
 */
async function spendOf(
  billingLedger: Queries['billingLedger'],
  of: SpendTarget,
  counted: Spend | undefined,
  now: number,
  windows: readonly BudgetWindow[] = BUDGET_WINDOWS,
): Promise<Spend> {
  const spend = eachWindow((window) => ({ startsAt: windowAt(window, now).startsAt, spentCents: 0 }));
  for (const window of BUDGET_WINDOWS) {
    if (counted?.[window].startsAt === spend[window].startsAt) spend[window] = counted[window];
    else if (windows.includes(window)) {
      const { chargedCents } = await billingLedger.sums(of, intervalOf(windowAt(window, now)));
      spend[window].spentCents = chargedCents;
    }
  }
  return spend;
}

export function intervalOf({ startsAt, endsAt }: WindowSpan): Interval {
  return { from: isoTime(startsAt), to: endsAt === null ? null : isoTime(endsAt) };
}

/** Whether no window of an ACTIVE job's caps is filled at `now` (epoch ms), as section 8, rule 5 asks. */
export function surfacing(billingLedger: Queries['billingLedger'], now: number) {
  const ofCompanies = new Map<string, Spend>();
  const spendIn = async (of: SpendTarget, budgets: readonly BudgetInput[]): Promise<Spend> => {
    const windows = budgets.map(({ window }) => window);
    return spendOf(billingLedger, of, await billingLedger.spend(of), now, windows);
  };
  return async (row: OpeningRow): Promise<boolean> => {
    const { id, companyId, budgets, companyBudgets } = cappedJobOf(row);
    const bidFits = (caps: readonly BudgetInput[], spend: Spend) =>
      !caps.some((cap) => isFilled(Number(row.bid_cents), cap, spend));
    if (companyBudgets.length > 0) {
      const company = { target: 'company', id: companyId } as const;
      const spend = ofCompanies.get(companyId) ?? (await spendIn(company, companyBudgets));
      ofCompanies.set(companyId, spend);
      if (!bidFits(companyBudgets, spend)) return false;
    }
    return budgets.length === 0 || bidFits(budgets, await spendIn({ target: 'job', id }, budgets));
  };
}

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
