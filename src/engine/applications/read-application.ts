import type { AnswerValue } from '../../contract/application.ts';
import type { Job } from '../../contract/job.ts';
import { foundJob } from '../lifecycle/refusals.ts';
import type { Store } from '../store/store.ts';
import { foundApplication, type ListedApplication, listedApplication } from './decide-application.ts';
import { FILE_TYPES } from './file-types.ts';

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
