import type { AnswerValue, Basics, GivenAnswer } from '../../contract/application.ts';
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
  to: ApplicationDecision,
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

type Question = Job['questions'][number];
type Qualification = Job['qualifications'][number];

/** An application as a recruiter reads it: beside the listing that it answers to. */
export interface ReadApplication extends ListedApplication {
  readonly answered: readonly { readonly question: Question; readonly answer: AnswerValue | undefined }[];
  readonly matched: readonly { readonly qualification: Qualification; readonly isMet: boolean }[];
}

/** A file that came with an application. */
interface SentFile {
  readonly fileId: string;
  /** The question that it answers; undefined for the resume. */
  readonly question: Question | undefined;
  /** What its sender calls it: shown, never used as a path. */
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  /** How names of its type end, by its content: `.pdf`. */
  readonly ending: string;
}

/** An application with the files that came with it. */
export interface WholeApplication extends ReadApplication {
  readonly jobTitle: string;
  readonly files: readonly SentFile[];
}

/** An application beside the questions and qualifications of its job, in their order. */
export function readApplication(application: ListedApplication, job: Job): ReadApplication {
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

/** An application of the company, whole. Throws NOT_FOUND. */
export async function wholeApplication(
  { read }: Store,
  companyId: string,
  id: number,
): Promise<WholeApplication> {
  const listed = listedApplication(foundApplication(id, await read.applications.find(companyId, id)));
  const job = foundJob(listed.jobId, await read.jobs.find(companyId, listed.jobId));
  const application = readApplication(listed, job);
  const named: (readonly [fileId: string, question?: Question])[] = [
    [application.resume],
    // An answer in words may be the id of somebody else's file.
    ...application.answered.flatMap(({ question, answer }) =>
      question.answerFormat === 'FILE' && typeof answer === 'string' ? [[answer, question] as const] : [],
    ),
  ];
  const files: SentFile[] = [];
  for (const [fileId, question] of named) {
    const row = await read.files.find(fileId);
    if (row === undefined) continue;
    const { name, type, bytes } = row;
    const ending = FILE_TYPES.find((known) => known.type === type)?.endings[0] ?? '.bin';
    files.push({ fileId, question, name, type, bytes: Number(bytes), ending });
  }
  return { ...application, jobTitle: job.title, files };
}

/** Entries as their listing orders them. */
export function byOrder<Entry extends { readonly order: number }>(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((a, b) => a.order - b.order);
}
