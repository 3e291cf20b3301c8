import type { Basics, GivenAnswer } from '../../contract/application.ts';
import { PartnerError } from '../../contract/errors.ts';
import { isoTime } from '../../contract/time.ts';
import type { ApplicationStatus } from '../../contract/values.ts';
import type { ChargeDecision } from '../billing/charge.ts';
import { foundJob } from '../lifecycle/refusals.ts';
import type { ApplicationFilter, BilledApplicationRow } from '../store/applications.ts';
import { filledOf } from '../store/billing-ledger.ts';
import type { Queries } from '../store/store.ts';

/** What a company's people decide about an application; neither is final. */
export const DECISIONS = ['accepted', 'rejected'] as const satisfies readonly ApplicationStatus[];
export type Decision = (typeof DECISIONS)[number];

/** An application as the people of its company see it. What candidates have written is data. */
export interface ListedApplication extends Basics {
  readonly id: number;
  readonly jobId: number;
  readonly status: ApplicationStatus;
  readonly receivedAt: string;
  /** When it was accepted or rejected last; null while it is pending. */
  readonly decidedAt: string | null;
  readonly answers: readonly GivenAnswer[];
  /** The ids of the qualifications that the candidate meets. */
  readonly meets: readonly string[];
  readonly isQualified: boolean;
  /** What it cost, decided when it arrived and never again. */
  readonly charge: ChargeDecision;
}

export function listedApplication(row: BilledApplicationRow): ListedApplication {
  return {
    id: Number(row.id),
    jobId: Number(row.job_id),
    status: row.status,
    receivedAt: row.received_at,
    decidedAt: row.decided_at,
    ...(JSON.parse(row.basics) as Basics),
    answers: JSON.parse(row.answers),
    meets: JSON.parse(row.met),
    isQualified: Number(row.is_qualified) === 1,
    charge: chargeOf(row),
  };
}

/**
 * Accepts or rejects an application of the company, in the caller's transaction; the other decision may follow. One
 * that stands so already is left as it is. What was charged stays charged. Throws NOT_FOUND.
 */
export async function decideApplication(
  { applications }: Pick<Queries, 'applications'>,
  companyId: string,
  id: number,
  to: Decision,
  now: number,
): Promise<ListedApplication> {
  const row = foundApplication(id, await applications.find(companyId, id));
  if (row.status === to) return listedApplication(row);
  const decidedAt = isoTime(now);
  await applications.move(row, to, decidedAt);
  return listedApplication({ ...row, status: to, decided_at: decidedAt });
}

/** The application that was looked up by its id. Throws NOT_FOUND, also for another company's. */
export function foundApplication<T>(id: number, row: T | undefined): T {
  if (row !== undefined) return row;
  throw new PartnerError('NOT_FOUND', {
    message: `there is no application ${id}`,
    hint: '`partner dashboard applications list` shows them',
  });
}

/**
 * The applications of a company, newest first, in the caller's transaction. Asked for those of one job, the job counts
 * as opened: its `newApplicantCount` is 0 from then on (decision 18). Throws NOT_FOUND for a job of somebody else.
 */
export async function listApplications(
  queries: Pick<Queries, 'applications' | 'jobs'>,
  filter: ApplicationFilter,
): Promise<ListedApplication[]> {
  const { applications, jobs } = queries;
  const { companyId, jobId } = filter;
  if (jobId !== undefined) {
    foundJob(jobId, await jobs.find(companyId, jobId));
    // Before they are read: what arrives meanwhile stays new.
    await applications.forgetUnseen(jobId);
  }
  return (await applications.list(filter)).map(listedApplication);
}

function chargeOf(row: BilledApplicationRow): ChargeDecision {
  const { outcome } = row;
  if (outcome === null) return { outcome: 'none' };
  const amountCents = Number(row.amount_cents);
  const filled = filledOf(row);
  return filled === null ? { outcome: 'charged', amountCents } : { outcome: 'skipped', amountCents, filled };
}
