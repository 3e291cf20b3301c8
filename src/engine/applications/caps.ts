import type { BudgetInput } from '../../contract/job.ts';
import { isoTime } from '../../contract/time.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../contract/values.ts';
import { type Spend, spendAt, uncounted } from '../billing/spend.ts';
import { type WindowSpan, windowAt } from '../billing/windows.ts';
import type { Interval, SpendTarget } from '../store/billing-ledger.ts';
import type { Queries } from '../store/store.ts';

/** A job as far as its caps go, with its company's. */
interface CappedJob {
  readonly id: number;
  readonly companyId: string;
  readonly budgets: readonly BudgetInput[];
  readonly companyBudgets: readonly BudgetInput[];
}

/**
 * The caps that a job stands under at `now` (epoch ms), and what is spent in their windows. In a window that was
 * not counted last, as after the clock was moved, the ledger is added up once.
 */
export async function capsAt(ledger: Queries['ledger'], job: CappedJob, now: number) {
  const { id, companyId, budgets, companyBudgets } = job;
  const spends = await ledger.spends(id, companyId);
  const ofJob = await spendOf(ledger, { target: 'job', id }, spends.job, now);
  const ofCompany = await spendOf(ledger, { target: 'company', id: companyId }, spends.company, now);
  return {
    job: { budgets, spend: ofJob },
    company: { budgets: companyBudgets, spend: ofCompany },
  };
}

/** What a row of the database holds of a job's caps. */
export interface CappedRow {
  readonly id: number;
  readonly company_id: string;
  readonly budgets: string;
  readonly company_budgets: string;
}

export function cappedJobOf(row: CappedRow): CappedJob {
  return {
    id: Number(row.id),
    companyId: row.company_id,
    budgets: JSON.parse(row.budgets),
    companyBudgets: JSON.parse(row.company_budgets),
  };
}

/**
 * What a target has spent in the windows of `now` (epoch ms), of which `counted` was counted last. Where only some kinds
 * of `windows` are asked for, the others may hold less than was spent.
 */
export async function spendOf(
  ledger: Queries['ledger'],
  of: SpendTarget,
  counted: Spend | undefined,
  now: number,
  windows: readonly BudgetWindow[] = BUDGET_WINDOWS,
): Promise<Spend> {
  const charged: Partial<Record<BudgetWindow, number>> = {};
  for (const window of uncounted(counted, now)) {
    if (!windows.includes(window)) continue;
    charged[window] = (await ledger.sums(of, intervalOf(windowAt(window, now)))).chargedCents;
  }
  return spendAt(counted, now, charged);
}

/** A window as the ledger is asked for it. */
export function intervalOf({ startsAt, endsAt }: WindowSpan): Interval {
  return { from: isoTime(startsAt), to: endsAt === null ? null : isoTime(endsAt) };
}
