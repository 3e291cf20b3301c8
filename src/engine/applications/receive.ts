import {
  type ApplicationInput,
  ApplicationInputSchema,
  checkApplicationInput,
  findAnswerProblems,
  getAnswers,
  isFilled,
  isQualified,
} from '../../contract/application.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { assertJobFound, createProblem, type Problem, validationFailed } from '../../contract/problems.ts';
import { isoTime } from '../../contract/time.ts';
import { type ChargeDecision, decideCharge, withCharge } from '../billing/charge.ts';
import { withExpiry } from '../lifecycle/job-state.ts';
import type { OpenJobRow } from '../store/applications.ts';
import type { Queries } from '../store/store.ts';
import { loadCaps, toCappedJob } from './caps.ts';
import { byOrder } from './company-applications.ts';
import { isDocument } from './file-types.ts';

export type ReceivedApplication = Awaited<ReturnType<typeof receiveApplication>>;

const ANSWERED = ApplicationInputSchema.pick({ answers: true, meets: true });

export function toAsks({ questions, qualifications }: Job) {
  return { questions: byOrder(questions), qualifications: byOrder(qualifications) };
}

/** Throws VALIDATION_FAILED with all problems at once. */
export function parseApplication(value: unknown, asks: Pick<Job, 'questions' | 'qualifications'>) {
  const checked = checkApplicationInput(value);
  if (checked.ok) return checked.value;
  const { answers, meets } = (value ?? {}) as { answers?: unknown; meets?: unknown };
  const fitted = ANSWERED.safeParse({ answers, meets }, { jitless: true });
  const unfit = fitted.success ? findAnswerProblems(fitted.data, asks) : [];
  throw validationFailed([...checked.problems, ...unfit], checked.more);
}

/**
 * Stores an application and its final charge in the caller's transaction. The job must be ACTIVE, but its windows can
 * be filled (section 8, rule 5). Throws NOT_FOUND, INVALID_TRANSITION, VALIDATION_FAILED,
 * ALREADY_APPLIED.
 */
export async function receiveApplication(
  queries: Queries,
  jobId: number,
  input: ApplicationInput,
  now: number,
) {
  const job = assertJobFound(jobId, await queries.applications.jobForApplication(jobId));
  refuseUnlessActive({ id: jobId, status: job.status, expiresAt: job.expires_at }, now);
  const asked = {
    questions: JSON.parse(job.questions) as Job['questions'],
    qualifications: JSON.parse(job.qualifications) as Job['qualifications'],
  };
  const receivedAt = isoTime(now);
  const problems = [
    ...findAnswerProblems(input, asked),
    ...(await claimFiles(queries, input, asked, receivedAt)),
  ];
  if (problems.length > 0) throw validationFailed(problems);

  const qualified = isQualified(input, asked.qualifications);
  const { answers: _, meets = [], ...basics } = input;
  const id = await queries.applications.insert({
    job_id: jobId,
    status: 'pending',
    received_at: receivedAt,
    basics: JSON.stringify(basics),
    email_key: input.email,
    answers: JSON.stringify(getAnswers(asked.questions, input)),
    met: JSON.stringify(meets),
    is_qualified: qualified ? 1 : 0,
    decided_at: null,
  });
  if (id === undefined) throw new PartnerError('ALREADY_APPLIED');
  await queries.applications.countReceived(jobId);
  const charge = await bill(queries, job, { id, receivedAt, isQualified: qualified }, now);
  return { id, jobId, status: 'pending' as const, receivedAt, isQualified: qualified, charge };
}

export function refuseUnlessActive(job: Pick<Job, 'id' | 'status' | 'expiresAt'>, now: number): void {
  const { id, status } = withExpiry(job, now);
  if (status === 'ACTIVE') return;
  throw new PartnerError('INVALID_TRANSITION', {
    message: `job ${id} doesn't accept applications: it is ${status}`,
    hint: 'only ACTIVE jobs accept applications',
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
  const caps = await loadCaps(billingLedger, toCappedJob(job), now);
  const charge = decideCharge(job.bid_cents ?? 0, caps);
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
  // The spend is stored even if nothing was charged, so that the next application doesn't sum the ledger again.
  const chargedCents = charge.outcome === 'charged' ? charge.amountCents : 0;
  await billingLedger.putSpend({ target: 'job', id: jobId }, withCharge(caps.job.spend, chargedCents));
  await billingLedger.putSpend(
    { target: 'company', id: companyId },
    withCharge(caps.company.spend, chargedCents),
  );
  return charge;
}

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
  // Locks files in a fixed order, because applications with the same files could otherwise deadlock on PostgreSQL.
  for (const { path, id } of named.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const file = await files.find(id);
    // `claim` can fail, because a sweep of unused uploads can delete the file between the two queries.
    const isThere = file !== undefined && (file.claimed_at !== null || (await files.claim(id, claimedAt)));
    if (!isThere) problems.push(createProblem(path, "isn't the fileId of an uploaded file"));
    else if (path[0] === 'resume' && !isDocument(file.type))
      problems.push(createProblem(path, `must be a document, not a picture (${file.type})`));
  }
  return problems;
}
