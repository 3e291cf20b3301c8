import type { ApplicationInput, getAnswers } from '../../contract/application.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { assertJobFound } from '../../contract/problems.ts';
import { isoTime } from '../../contract/time.ts';
import type { ApplicationStatus } from '../../contract/values.ts';
import type { ChargeDecision } from '../billing/charge.ts';
import type { ApplicationFilter, BilledApplicationRow } from '../store/applications.ts';
import { toFilledWindow } from '../store/billing-ledger.ts';
import type { Queries, Store } from '../store/store.ts';
import { FILE_TYPES } from './file-types.ts';

export const DECISIONS = ['accepted', 'rejected'] as const satisfies readonly ApplicationStatus[];
export type ApplicationDecision = (typeof DECISIONS)[number];

export type ListedApplication = ReturnType<typeof toListedApplication>;
export type ReadApplication = ReturnType<typeof readApplication>;
export type WholeApplication = Awaited<ReturnType<typeof loadWholeApplication>>;

export function toListedApplication(row: BilledApplicationRow) {
  return {
    id: row.id,
    jobId: row.job_id,
    status: row.status,
    receivedAt: row.received_at,
    decidedAt: row.decided_at,
    ...(JSON.parse(row.basics) as Omit<ApplicationInput, 'answers' | 'meets'>),
    answers: JSON.parse(row.answers) as ReturnType<typeof getAnswers>,
    meets: JSON.parse(row.met) as readonly string[],
    isQualified: row.is_qualified === 1,
    charge: toChargeDecision(row),
  };
}

/** Accepts or rejects an application. A decision can be reversed, and never changes the charge. Throws NOT_FOUND. */
export async function decideApplication(
  { applications }: Pick<Queries, 'applications'>,
  companyId: string,
  id: number,
  to: ApplicationDecision,
  now: number,
): Promise<ListedApplication> {
  const row = assertApplicationFound(id, await applications.find(companyId, id));
  if (row.status === to) return toListedApplication(row);
  const decidedAt = isoTime(now);
  await applications.move(row, to, decidedAt);
  return toListedApplication({ ...row, status: to, decided_at: decidedAt });
}

function assertApplicationFound<T>(id: number, row: T | undefined): T {
  if (row !== undefined) return row;
  throw new PartnerError('NOT_FOUND', {
    message: `application ${id} not found`,
    hint: 'list applications with `partner dashboard applications list`',
  });
}

/** Returns the newest first. With `jobId`, resets the job's `newApplicantCount` (decision 18). Throws NOT_FOUND. */
export async function listApplications(
  queries: Pick<Queries, 'applications' | 'jobs'>,
  filter: ApplicationFilter,
): Promise<ListedApplication[]> {
  const { applications, jobs } = queries;
  const { companyId, jobId } = filter;
  if (jobId !== undefined) {
    assertJobFound(jobId, await jobs.find(companyId, jobId));
    // Resets the count before the list is read, so that applications arriving in between stay new.
    await applications.forgetUnseen(jobId);
  }
  return (await applications.list(filter)).map(toListedApplication);
}

function toChargeDecision(row: BilledApplicationRow): ChargeDecision {
  const { outcome, amount_cents: amountCents } = row;
  if (outcome === null || amountCents === null) return { outcome: 'none' };
  const filled = toFilledWindow(row);
  return filled === null ? { outcome: 'charged', amountCents } : { outcome: 'skipped', amountCents, filled };
}

export function readApplication(application: ListedApplication, job: Job) {
  const given = new Map(application.answers.map(({ questionId, answer }) => [questionId, answer]));
  return {
    ...application,
    answered: byOrder(job.questions).map((question) => ({ question, answer: given.get(question.id) })),
    matched: byOrder(job.qualifications).map((qualification) => ({
      qualification,
      isMet: application.meets.includes(qualification.id),
    })),
  };
}

export async function loadWholeApplication({ read }: Store, companyId: string, id: number) {
  const listed = toListedApplication(assertApplicationFound(id, await read.applications.find(companyId, id)));
  const job = assertJobFound(listed.jobId, await read.jobs.find(companyId, listed.jobId));
  const application = readApplication(listed, job);
  const answers = application.answered.flatMap(({ question, answer }) =>
    // Only FILE answers count, because a text answer could contain the ID of another candidate's file.
    question.answerFormat === 'FILE' && typeof answer === 'string' ? [{ fileId: answer, question }] : [],
  );
  const files = [];
  for (const { fileId, question } of [{ fileId: application.resume, question: undefined }, ...answers]) {
    const row = await read.files.find(fileId);
    if (row === undefined) continue;
    const { name, type, bytes } = row;
    const ending = FILE_TYPES.find((known) => known.type === type)?.endings[0] ?? '.bin';
    files.push({ fileId, question, name, type, bytes, ending });
  }
  return { ...application, jobTitle: job.title, files };
}

export function byOrder<Entry extends { readonly order: number }>(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((a, b) => a.order - b.order);
}
