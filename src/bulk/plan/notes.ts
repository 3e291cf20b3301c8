import type { ServerJob } from '../../client/client.ts';
import { isPublished } from '../../contract/lifecycle.ts';
import { describeKey } from './desired-listing.ts';
import type { ListingSide, Remembered } from './likeness.ts';

type Changed = readonly { readonly field: string }[];

interface Note<Code> {
  readonly code: Code;
  readonly message: string;
  readonly hint?: string | undefined;
}

export const NOTES = {
  EDITED_ON_SERVER: (edited: Changed, jobId: number) => ({
    code: 'EDITED_ON_SERVER',
    message: `${listNames(edited)} ${edited.length === 1 ? 'was' : 'were'} edited on the server. The file hasn't changed since the last apply`,
    hint: hintOfEdit(jobId),
  }),
  EDIT_UNDONE: (undone: Changed) => ({
    code: 'EDITED_ON_SERVER',
    message: `${listNames(undone)} ${undone.length === 1 ? 'was' : 'were'} edited on the server. --overwrite undoes the edits`,
  }),
  BOTH_CHANGED: (conflicting: Changed, jobId: number) => ({
    code: 'BOTH_CHANGED',
    message: `conflict: ${listNames(conflicting)} changed both in the file and on the server`,
    hint: hintOfEdit(jobId),
  }),
  FROZEN: (frozen: Changed, jobId: number) => ({
    code: 'FROZEN',
    message: `job ${jobId} has applications, so its ${listNames(frozen)} can't be changed`,
    hint: 'revert that change in the file. All other fields can still be changed',
  }),
  CLOSED: (jobId: number) => ({
    code: 'CLOSED',
    message: `job ${jobId} was closed, and closed jobs can't be reopened`,
    hint: `remove the listing, or create a new job with \`partner jobs repost ${jobId}\` and link it with --adopt KEY=ID`,
  }),
  CLOSED_BY_APPLY: (jobId: number) => ({
    code: 'CLOSED',
    message: `job ${jobId} was closed by an earlier apply because its listing was removed`,
  }),
  EXPIRED: (jobId: number) => ({
    code: 'EXPIRED',
    message: `job ${jobId} expired`,
    hint: 'pass --repost to create a new job for the listing',
  }),
  PAUSED: (jobId: number) => ({
    code: 'PAUSED',
    message: `someone paused job ${jobId}`,
    hint: `resume it with \`partner jobs resume ${jobId}\``,
  }),
  STATUS_UNKNOWN: (jobId: number, status: string) => ({
    code: 'STATUS_UNKNOWN',
    message: `the status of job ${jobId} is ${status === 'undefined' ? 'missing' : `${status}, which isn't a known status`}`,
    hint: `check it with \`partner jobs get ${jobId}\`, or try \`partner jobs publish ${jobId}\``,
  }),
  JOB_GONE: (jobId: number) => ({
    code: 'JOB_GONE',
    message: `job ${jobId} no longer exists on the server`,
    hint: 'check the server and the key. If both are correct, pass --recreate to create the job again',
  }),
  MOVED: (was: string) => ({ code: 'MOVED', message: `moved from ${describeKey(was)} since the last apply` }),
  NO_LONGER_WANTED: (jobId: number, status: string) => ({
    code: 'NO_LONGER_WANTED',
    message: `job ${jobId} is ${status}, but its listing was removed from the files`,
    hint: hintOfUnwanted(jobId, status),
  }),
  PRUNED: (jobId: number, status: string | undefined) => ({
    code: 'NO_LONGER_WANTED',
    message: `the listing of job ${jobId} was removed from the files, and the job ${status === undefined ? 'no longer exists' : `is ${status}`}`,
  }),
  DRAFT_NOT_CLOSED: (jobId: number) => ({
    code: 'DRAFT_NOT_CLOSED',
    message: `the listing of job ${jobId} was removed from the files. The job is a draft, and only live jobs can be closed`,
    hint: "candidates can't see it, so you can leave it",
  }),
  MATCH_UNCLEAR: (key: string, doubts: readonly Remembered[]) => {
    const jobs = doubts.map((each) => `job ${each.entry.job} (${describeKey(each.key)})`);
    return {
      code: 'MATCH_UNCLEAR',
      message: `may be the listing of ${listWords(jobs, 'disjunction')}, whose last applied version is no longer in the files`,
      hint: `if it's the same job, link it with --adopt ${key}=${doubts[0]?.entry.job}. If it's a new job, pass --create-anyway`,
    };
  },
  MAY_BE_HELD: (jobId: number, name: string) => ({
    code: 'MATCH_UNCLEAR',
    message: `job ${jobId} won't be closed: it may belong to the held listing ${name}`,
  }),
  OTHER_OPENING: (key: string, job: ServerJob, title: unknown) => {
    const counts = Object.values(job.applicationCounts ?? {}).filter((count) => typeof count === 'number');
    const applicants = counts.reduce((sum, count) => sum + count, 0);
    const has =
      counts.length === 0 ? '' : ` (${applicants} ${applicants === 1 ? 'applicant' : 'applicants'})`;
    return {
      code: 'OTHER_OPENING',
      message: `job ${job.id}${has} is published as "${job.title}", but its title in the file is now "${title ?? ''}". A published job can't be changed to another opening`,
      hint: `pass --prune to close job ${job.id} and create a new one. If it's the same opening, pass --replace ${key}`,
    };
  },
  CREATED_ELSEWHERE: (jobId: number) => ({
    code: 'CREATED_ELSEWHERE',
    message: `another run created job ${jobId} from this listing`,
  }),
  POSSIBLE_DUPLICATE: ({ key, ...wanted }: ListingSide, job: ServerJob, isHeld: boolean) => ({
    code: 'POSSIBLE_DUPLICATE',
    message: `possible duplicate: job ${job.id} (${job.status}) has the same ${job.opportunityId && job.opportunityId === wanted.opportunityId ? 'opportunityId' : 'title and place'}, but the state doesn't list it`,
    hint: isHeld
      ? `if it's the same job, link it with --adopt ${key}=${job.id}. If it's another one, pass --ignore ${job.id} or --create-anyway. \`partner jobs close ${job.id}\` closes it`
      : `\`partner jobs close ${job.id}\` closes it. If it isn't a duplicate, pass --ignore ${job.id} to \`partner jobs apply\`. To keep it instead, close the listing's own job and pass --adopt ${key}=${job.id}`,
  }),
  OUTCOME_UNKNOWN: (key: string) => ({
    code: 'OUTCOME_UNKNOWN',
    message: 'an earlier run sent its create but got no response, so the job may exist',
    hint: `if the server honors idempotency keys, the next apply resolves it. Otherwise link the job with --adopt ${key}=ID, or create it again with --resend ${key}`,
  }),
  NOT_AS_SENT: (jobId: number, differences: string) => ({
    code: 'NOT_AS_SENT',
    message: `job ${jobId} on the server differs from what was sent (sent → now): ${differences}`,
    hint: `check the job with \`partner jobs get ${jobId}\``,
  }),
} satisfies Record<string, (...facts: never) => Note<Uppercase<string>>>;

/** See "Notes" in docs/bulk.md. */
export type PlanNote = Note<ReturnType<(typeof NOTES)[keyof typeof NOTES]>['code']>;

function hintOfUnwanted(jobId: number, status: string): string {
  if (status === 'DRAFT') return "candidates can't see it, so you can leave it";
  if (isPublished(status)) return 'close it with --prune, which requires every listing to be valid';
  return `try \`partner jobs close ${jobId}\``;
}

function hintOfEdit(jobId: number): string {
  return `pass --overwrite to apply the file. To keep the server's version, copy it from \`partner jobs export ${jobId}\` into the file`;
}

/** Creates the format on use, because the first one in a process takes 15 ms. */
function listWords(words: readonly string[], type: 'conjunction' | 'disjunction'): string {
  return new Intl.ListFormat('en-GB', { type }).format(words);
}

function listNames(changes: Changed): string {
  return listWords(
    changes.map(({ field }) => field),
    'conjunction',
  );
}
