import type { Basics, GivenAnswer } from '../../contract/application.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { isoTime } from '../../contract/time.ts';
import type { ApplicationStatus } from '../../contract/values.ts';
import type { ChargeDecision } from '../billing/charge.ts';
import { foundJob } from '../lifecycle/refusals.ts';
import type { ApplicationFilter, BilledApplicationRow } from '../store/applications.ts';
import { filledOf } from '../store/billing-ledger.ts';
import type { Queries, Store } from '../store/store.ts';
import { FILE_TYPES } from './file-types.ts';

/** What a company's people decide about an application; neither is final. */
export const DECISIONS = ['accepted', 'rejected'] as const satisfies readonly ApplicationStatus[];
export type ApplicationDecision = (typeof DECISIONS)[number];

export type ListedApplication = ReturnType<typeof listedApplication>;
export type ReadApplication = ReturnType<typeof readApplication>;
export type WholeApplication = Awaited<ReturnType<typeof wholeApplication>>;

export function listedApplication(row: BilledApplicationRow) {
  return {
    id: Number(row.id),
    jobId: Number(row.job_id),
    status: row.status,
    receivedAt: row.received_at,
    decidedAt: row.decided_at,
    ...(JSON.parse(row.basics) as Basics),
    answers: JSON.parse(row.answers) as readonly GivenAnswer[],
    meets: JSON.parse(row.met) as readonly string[],
    isQualified: Number(row.is_qualified) === 1,
    charge: chargeOf(row),
  };
}

/** The other decision may follow, and what was charged stays charged. Throws NOT_FOUND. */
export async function decideApplication(
  { applications }: Pick<Queries, 'applications'>,
  companyId: string,
  id: number,
  to: ApplicationDecision,
  now: number,
): Promise<ListedApplication> {
  const row = foundApplication(id, await applications.find(companyId, id));
  if (row.status === to) return listedApplication(row);
  const decidedAt = isoTime(now);
  await applications.move(row, to, decidedAt);
  return listedApplication({ ...row, status: to, decided_at: decidedAt });
}

function foundApplication<T>(id: number, row: T | undefined): T {
  if (row !== undefined) return row;
  throw new PartnerError('NOT_FOUND', {
    message: `there is no application ${id}`,
    hint: '`partner dashboard applications list` shows them',
  });
}

/** Newest first. Those of one job open it: its `newApplicantCount` is 0 from then on (decision 18). Throws NOT_FOUND. */
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

export async function wholeApplication({ read }: Store, companyId: string, id: number) {
  const listed = listedApplication(foundApplication(id, await read.applications.find(companyId, id)));
  const job = foundJob(listed.jobId, await read.jobs.find(companyId, listed.jobId));
  const application = readApplication(listed, job);
  const answers = application.answered.flatMap(({ question, answer }) =>
    // An answer in words may be the id of somebody else's file.
    question.answerFormat === 'FILE' && typeof answer === 'string' ? [{ fileId: answer, question }] : [],
  );
  const files = [];
  for (const { fileId, question } of [{ fileId: application.resume, question: undefined }, ...answers]) {
    const row = await read.files.find(fileId);
    if (row === undefined) continue;
    const { name, type, bytes } = row;
    const ending = FILE_TYPES.find((known) => known.type === type)?.endings[0] ?? '.bin';
    files.push({ fileId, question, name, type, bytes: Number(bytes), ending });
  }
  return { ...application, jobTitle: job.title, files };
}

export function byOrder<Entry extends { readonly order: number }>(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((a, b) => a.order - b.order);
}
