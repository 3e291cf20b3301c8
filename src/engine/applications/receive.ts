import {
  type ApplicationInput,
  ApplicationInputSchema,
  answersTo,
  fitProblems,
  isFilled,
  isQualified,
} from '../../contract/application.ts';
import { checkApplicationInput } from '../../contract/check.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { invalid, type Problem } from '../../contract/problems.ts';
import { isoTime } from '../../contract/time.ts';
import { type ChargeDecision, decideCharge, withCharge } from '../billing/charge.ts';
import { jobAt } from '../lifecycle/job-state.ts';
import { foundJob, validationFailed } from '../lifecycle/refusals.ts';
import type { OpenJobRow } from '../store/applications.ts';
import type { Queries } from '../store/store.ts';
import { cappedJobOf, capsAt } from './caps.ts';
import { isDocument } from './file-types.ts';

export type ReceivedApplication = Awaited<ReturnType<typeof receiveApplication>>;

const ANSWERED = ApplicationInputSchema.pick({ answers: true, meets: true });

/** An application in the form of the contract. Throws VALIDATION_FAILED with everything that is wrong at once. */
export function checkedApplication(value: unknown, asks: Pick<Job, 'questions' | 'qualifications'>) {
  const checked = checkApplicationInput(value);
  if (checked.ok) return checked.value;
  const { answers, meets } = (value ?? {}) as { answers?: unknown; meets?: unknown };
  const fitted = ANSWERED.safeParse({ answers, meets }, { jitless: true });
  const unfit = fitted.success ? fitProblems(fitted.data, asks) : [];
  throw validationFailed([...checked.problems, ...unfit], checked.more);
}

/**
 * Takes a checked application to a job at `now` (epoch ms), in the caller's transaction: stores it, and decides in the
 * same transaction, once and for good, whether it is charged for. A job takes applications while it is ACTIVE,
 * surfaced or not: one that comes after a window was filled is delivered all the same (section 8, rule 5).
 * Throws NOT_FOUND, INVALID_TRANSITION, VALIDATION_FAILED, ALREADY_APPLIED.
 */
export async function receiveApplication(
  queries: Queries,
  jobId: number,
  input: ApplicationInput,
  now: number,
) {
  const job = foundJob(jobId, await queries.applications.jobForApplication(jobId));
  refuseUnlessActive({ id: jobId, status: job.status, expiresAt: job.expires_at }, now);
  const asked = {
    questions: JSON.parse(job.questions) as Job['questions'],
    qualifications: JSON.parse(job.qualifications) as Job['qualifications'],
  };
  const receivedAt = isoTime(now);
  const problems = [...fitProblems(input, asked), ...(await claimFiles(queries, input, asked, receivedAt))];
  if (problems.length > 0) throw validationFailed(problems);

  const qualified = isQualified(input, asked.qualifications);
  const { answers: _, meets = [], ...basics } = input;
  const id = await queries.applications.insert({
    job_id: jobId,
    status: 'pending',
    received_at: receivedAt,
    basics: JSON.stringify(basics),
    email_key: input.email,
    answers: JSON.stringify(answersTo(asked.questions, input)),
    met: JSON.stringify(meets),
    is_qualified: qualified ? 1 : 0,
    decided_at: null,
  });
  if (id === undefined) throw new PartnerError('ALREADY_APPLIED');
  await queries.applications.countReceived(jobId);
  const charge = await bill(queries, job, { id, receivedAt, isQualified: qualified }, now);
  return { id, jobId, status: 'pending' as const, receivedAt, isQualified: qualified, charge };
}

/** Throws INVALID_TRANSITION for a job that takes no applications at `now` (epoch ms). */
export function refuseUnlessActive(job: Pick<Job, 'id' | 'status' | 'expiresAt'>, now: number): void {
  const { id, status } = jobAt(job, now);
  if (status === 'ACTIVE') return;
  throw new PartnerError('INVALID_TRANSITION', {
    message: `job ${id} takes no applications: it is ${status}`,
    hint: 'only ACTIVE jobs do',
  });
}

async function bill(
  { billingLedger }: Queries,
  job: OpenJobRow,
  application: { readonly id: number; readonly receivedAt: string; readonly isQualified: boolean },
  now: number,
): Promise<ChargeDecision> {
  if (!application.isQualified) return { outcome: 'none' };
  const { id: jobId, company_id: companyId } = job;
  const caps = await capsAt(billingLedger, cappedJobOf(job), now);
  const charge = decideCharge(Number(job.bid_cents), caps);
  const filled = charge.outcome === 'skipped' ? charge.filled : undefined;
  await billingLedger.append({
    application_id: application.id,
    job_id: jobId,
    company_id: companyId,
    decided_at: application.receivedAt,
    outcome: charge.outcome,
    amount_cents: charge.amountCents,
    filled_target: filled?.target ?? null,
    filled_window: filled?.window ?? null,
  });
  // Also where nothing was charged, so that the next applicant's window is not added up again.
  const chargedCents = charge.outcome === 'charged' ? charge.amountCents : 0;
  await billingLedger.putSpend({ target: 'job', id: jobId }, withCharge(caps.job.spend, chargedCents));
  await billingLedger.putSpend(
    { target: 'company', id: companyId },
    withCharge(caps.company.spend, chargedCents),
  );
  return charge;
}

/** Notes that the application names its files; a file that nobody has sent is a problem. */
async function claimFiles(
  { files }: Queries,
  { resume, answers = {} }: ApplicationInput,
  { questions }: Pick<Job, 'questions'>,
  claimedAt: string,
): Promise<Problem[]> {
  const named = [
    { path: ['resume'], id: resume },
    ...questions
      .filter(({ id, answerFormat }) => answerFormat === 'FILE' && isFilled(answers[id]))
      .map(({ id }) => ({ path: ['answers', id], id: answers[id] as string })),
  ];
  const problems: Problem[] = [];
  // In one order, so that two applications with the same files do not deadlock on PostgreSQL.
  for (const { path, id } of named.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const file = await files.find(id);
    // A sweep may have deleted it between the two queries.
    const isThere = file !== undefined && (file.claimed_at !== null || (await files.claim(id, claimedAt)));
    if (!isThere) problems.push(invalid(path, 'is the fileId of no uploaded file'));
    else if (path[0] === 'resume' && !isDocument(file.type))
      problems.push(invalid(path, `must be a document, not a picture (${file.type})`));
  }
  return problems;
}
