import type { BudgetInput } from '../../contract/job.ts';
import type { BudgetWindow } from '../../contract/values.ts';
import type { Capped, Caps } from '../billing/charge.ts';
import { type Spend, spendAt, uncounted } from '../billing/spend.ts';
import { type WindowSpan, windowAt } from '../billing/windows.ts';
import type { Interval, SpendTarget } from '../store/ledger.ts';
import type { Queries } from '../store/store.ts';
import { isoTime } from '../time.ts';

/** A job as far as its caps go, with its company's. */
export interface CappedJob {
  readonly id: number;
  readonly company_id: string;
  /** Both are JSON. */
  readonly budgets: string;
  readonly company_budgets: string;
}

/**
 * The caps that a job stands under at `now` (epoch ms), and what is spent in their windows. In a window that was
 * not counted last, as after the clock was moved, the ledger is added up once.
 */
export async function capsAt(ledger: Queries['ledger'], job: CappedJob, now: number): Promise<Caps> {
  const spends = await ledger.spends(job.id, job.company_id);
  return {
    job: await cappedAt(ledger, { target: 'job', id: job.id }, job.budgets, spends.job, now),
    company: await cappedAt(
      ledger,
      { target: 'company', id: job.company_id },
      job.company_budgets,
      spends.company,
      now,
    ),
  };
}

async function cappedAt(
  ledger: Queries['ledger'],
  of: SpendTarget,
  budgets: string,
  counted: Spend | undefined,
  now: number,
): Promise<Capped> {
  const spend = await spendOf(ledger, of, counted, now);
  return { budgets: JSON.parse(budgets) as BudgetInput[], spend };
}

/** What a target has spent in the windows of `now` (epoch ms), of which `counted` was counted last. */
export async function spendOf(
  ledger: Queries['ledger'],
  of: SpendTarget,
  counted: Spend | undefined,
  now: number,
): Promise<Spend> {
  const charged: Partial<Record<BudgetWindow, number>> = {};
  for (const window of uncounted(counted, now)) {
    charged[window] = (await ledger.sums(of, intervalOf(windowAt(window, now)))).chargedCents;
  }
  return spendAt(counted, now, charged);
}

/** A window as the ledger is asked for it. */
export function intervalOf({ startsAt, endsAt }: WindowSpan): Interval {
  return { from: isoTime(startsAt), to: endsAt === null ? null : isoTime(endsAt) };
}
