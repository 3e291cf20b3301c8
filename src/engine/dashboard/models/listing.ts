import { completenessGaps, type GateFacts } from '../../../contract/gate.ts';
import type { BudgetInput, Job } from '../../../contract/job.ts';
import type { Problem } from '../../../contract/problems.ts';
import { capsAt, intervalOf } from '../../applications/caps.ts';
import { type FilledWindow, filledWindow } from '../../billing/charge.ts';
import { windowAt } from '../../billing/windows.ts';
import { type BudgetState, budgetStates } from '../../companies/budget-states.ts';
import type { Queries } from '../../store/store.ts';

/** What keeps a draft from being published: all three gates, not only the first that fails. */
export interface DraftGate extends GateFacts {
  readonly gaps: readonly Problem[];
}

/** Whether candidates see an ACTIVE job, and if not, which window has to reset first. */
export type Surfacing =
  | { readonly isSurfaced: true }
  | { readonly isSurfaced: false; readonly filled: FilledWindow; readonly resetsAt: string | null };

/** A job with what the dashboard says beside it. */
export interface Listing {
  readonly job: Job;
  readonly budgets: readonly BudgetState[];
  /** Of a draft. */
  readonly gate?: DraftGate;
  /** Of an ACTIVE job. */
  readonly surfacing?: Surfacing;
}

/** What a job's page and its line in the list say of it at `now` (epoch ms). */
export async function listingOf(
  queries: Queries,
  job: Job,
  facts: GateFacts,
  companyBudgets: readonly BudgetInput[],
  now: number,
): Promise<Listing> {
  const bidCents = job.bidPerQualifiedApplicantCents ?? undefined;
  const budgets = await budgetStates(queries, { target: 'job', id: job.id }, job.budgets, now, bidCents);
  if (job.status === 'DRAFT') return { job, budgets, gate: { ...facts, gaps: completenessGaps(job) } };
  if (job.status !== 'ACTIVE') return { job, budgets };
  return { job, budgets, surfacing: await surfacingOf(queries, job, companyBudgets, now) };
}

async function surfacingOf(
  { ledger }: Queries,
  job: Job,
  companyBudgets: readonly BudgetInput[],
  now: number,
): Promise<Surfacing> {
  const caps = await capsAt(ledger, { ...job, companyBudgets }, now);
  const filled = filledWindow(job.bidPerQualifiedApplicantCents ?? 0, caps);
  if (filled === undefined) return { isSurfaced: true };
  const { to: resetsAt } = intervalOf(windowAt(filled.window, now));
  return { isSurfaced: false, filled, resetsAt };
}
