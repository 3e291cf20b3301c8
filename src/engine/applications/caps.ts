import type { BudgetInput, Job } from '../../contract/job.ts';
import { isoTime } from '../../contract/time.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../contract/values.ts';
import {
  eachWindow,
  findFilledWindow,
  isFilled,
  type Spend,
  shortestFirst,
  toWindowSpan,
} from '../billing/charge.ts';
import type { SpendTarget } from '../store/billing-ledger.ts';
import type { OpeningRow } from '../store/jobs.ts';
import type { Queries } from '../store/store.ts';

type CappedJob = ReturnType<typeof toCappedJob>;

export async function loadCaps(billingLedger: Queries['billingLedger'], job: CappedJob, now: number) {
  const { id, companyId, budgets, companyBudgets } = job;
  const [target, company] = [{ target: 'job', id } as const, { target: 'company', id: companyId } as const];
  const spends = await billingLedger.spends(target, company);
  const ofJob = await loadSpend(billingLedger, target, spends.job, now);
  const ofCompany = await loadSpend(billingLedger, company, spends.company, now);
  return { job: { budgets, spend: ofJob }, company: { budgets: companyBudgets, spend: ofCompany } };
}

export function toCappedJob(row: Pick<OpeningRow, 'id' | 'company_id' | 'budgets' | 'company_budgets'>) {
  return {
    id: row.id,
    companyId: row.company_id,
    budgets: JSON.parse(row.budgets) as readonly BudgetInput[],
    companyBudgets: JSON.parse(row.company_budgets) as readonly BudgetInput[],
  };
}

/** Uses the stored sum if it's current. Otherwise, sums the ledger, or returns 0 if `windows` omits the window. */
async function loadSpend(
  billingLedger: Queries['billingLedger'],
  of: SpendTarget,
  counted: Spend | undefined,
  now: number,
  windows: readonly BudgetWindow[] = BUDGET_WINDOWS,
): Promise<Spend> {
  const spend = eachWindow((window) => ({ startsAt: toWindowSpan(window, now).startsAt, spentCents: 0 }));
  for (const window of BUDGET_WINDOWS) {
    if (counted?.[window].startsAt === spend[window].startsAt) spend[window] = counted[window];
    else if (windows.includes(window))
      spend[window].spentCents = (await billingLedger.sums(of, toWindowSpan(window, now))).chargedCents;
  }
  return spend;
}

/** Returns a check that all cap windows of an ACTIVE job have room for its bid at `now` (section 8, rule 5). */
export function createSurfacingCheck(billingLedger: Queries['billingLedger'], now: number) {
  const ofCompanies = new Map<string, Spend>();
  const loadTargetSpend = async (of: SpendTarget, budgets: readonly BudgetInput[]): Promise<Spend> => {
    const windows = budgets.map(({ window }) => window);
    return loadSpend(billingLedger, of, await billingLedger.spend(of), now, windows);
  };
  return async (row: OpeningRow): Promise<boolean> => {
    const { id, companyId, budgets, companyBudgets } = toCappedJob(row);
    const bidFits = (caps: readonly BudgetInput[], spend: Spend) =>
      !caps.some((cap) => isFilled(row.bid_cents ?? 0, cap, spend));
    if (companyBudgets.length > 0) {
      const company = { target: 'company', id: companyId } as const;
      const spend = ofCompanies.get(companyId) ?? (await loadTargetSpend(company, companyBudgets));
      ofCompanies.set(companyId, spend);
      if (!bidFits(companyBudgets, spend)) return false;
    }
    return budgets.length === 0 || bidFits(budgets, await loadTargetSpend({ target: 'job', id }, budgets));
  };
}

/** Returns what the company and its jobs spent in the current windows, and the filled windows that hide ACTIVE jobs. */
export async function loadSpending(
  { billingLedger, companies }: Pick<Queries, 'billingLedger' | 'companies'>,
  companyId: string,
  jobs: readonly Pick<Job, 'id' | 'status' | 'budgets' | 'bidPerQualifiedApplicantCents'>[],
  now: number,
) {
  const company = { target: 'company', id: companyId } as const;
  const targets = jobs.map(({ id }) => ({ target: 'job', id }) as const);
  const find = await billingLedger.spentCents([company, ...targets], now);
  const toCaps = (of: SpendTarget, budgets: readonly BudgetInput[]) => {
    return { budgets, spend: eachWindow((window) => ({ spentCents: find(of)[window] })) };
  };
  const ofCompany = toCaps(company, JSON.parse((await companies.find(companyId))?.budgets ?? '[]'));
  const ofJobs = jobs.map(({ status, budgets, bidPerQualifiedApplicantCents: bidCents }, at) => {
    const target = targets[at] ?? company;
    const filled = findFilledWindow(bidCents ?? 0, { job: toCaps(target, budgets), company: ofCompany });
    return { spentCents: find(target), filled: (status === 'ACTIVE' && filled) || null };
  });
  return { company: find(company), jobs: ofJobs };
}

export type BudgetState = Awaited<ReturnType<typeof loadBudgetStates>>[number];

/** A window is filled if `bidCents` exceeds what is left. The default is the company's lowest ACTIVE bid, or 1. */
export async function loadBudgetStates(
  { billingLedger, jobs }: Pick<Queries, 'billingLedger' | 'jobs'>,
  of: SpendTarget,
  budgets: readonly BudgetInput[],
  now: number,
  bidCents?: number | null,
) {
  const lowest = of.target === 'company' ? await jobs.lowestBid(String(of.id), now) : undefined;
  const leastCents = bidCents ?? lowest ?? 1;
  const spend = await loadSpend(billingLedger, of, await billingLedger.spend(of), now);
  const states = [];
  for (const budget of shortestFirst(budgets)) {
    const { window, budgetCents, notes = null } = budget;
    const span = toWindowSpan(window, now);
    states.push({
      window,
      budgetCents,
      notes,
      spentCents: spend[window].spentCents,
      skippedCharges: await billingLedger.countSkipped(of, window, span),
      startsAt: span.endsAt === null ? null : isoTime(span.startsAt),
      resetsAt: span.endsAt === null ? null : isoTime(span.endsAt),
      isFilled: isFilled(leastCents, budget, spend),
    });
  }
  return states;
}
