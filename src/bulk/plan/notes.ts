import type { ServerJob } from '../../client/client.ts';
import type { ListingSide, Remembered } from './likeness.ts';
import type { FieldChange, PlanNote } from './plan-item.ts';

const AND = new Intl.ListFormat('en-GB');
const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** What each kind of note says, and what to type about it. Without the listing's name: a row has that. */
export const NOTES = {
  EDITED_ON_SERVER: (edited: readonly FieldChange[], jobId: number): PlanNote => ({
    code: 'EDITED_ON_SERVER',
    message: `${names(edited)} ${edited.length === 1 ? 'was' : 'were'} edited on the server; the file is as it was applied last`,
    hint: hintOfEdit(jobId),
  }),
  EDIT_UNDONE: (undone: readonly FieldChange[]): PlanNote => ({
    code: 'EDITED_ON_SERVER',
    message: `${names(undone)} ${undone.length === 1 ? 'was' : 'were'} edited on the server, which --overwrite undoes`,
  }),
  BOTH_CHANGED: (conflicting: readonly FieldChange[], jobId: number): PlanNote => ({
    code: 'BOTH_CHANGED',
    message: `the server's ${names(conflicting)} ${conflicting.length === 1 ? 'is' : 'are'} neither what the file says nor what was applied last`,
    hint: hintOfEdit(jobId),
  }),
  FROZEN: (frozen: readonly FieldChange[], jobId: number): PlanNote => ({
    code: 'FROZEN',
    message: `job ${jobId} has applications: its ${names(frozen)} can no longer change`,
    hint: 'take that change out of the file; every other field can still change',
  }),
  CLOSED: (jobId: number): PlanNote => ({
    code: 'CLOSED',
    message: `job ${jobId} was closed, and closed jobs can't be reopened`,
    hint: `remove the listing, or create a new job with \`partner jobs repost ${jobId}\` and link it with --adopt KEY=ID`,
  }),
  CLOSED_BY_APPLY: (jobId: number): PlanNote => ({
    code: 'CLOSED',
    message: `job ${jobId} was closed by an earlier apply, when its listing was gone: a new one takes its place`,
  }),
  EXPIRED: (jobId: number): PlanNote => ({
    code: 'EXPIRED',
    message: `job ${jobId} expired`,
    hint: 'pass --repost to create a new job for the listing',
  }),
  REPOSTED: (jobId: number): PlanNote => ({
    code: 'EXPIRED',
    message: `job ${jobId} has expired: a new one takes its place`,
  }),
  PAUSED: (jobId: number): PlanNote => ({
    code: 'PAUSED',
    message: `someone paused job ${jobId}`,
    hint: `resume it with \`partner jobs resume ${jobId}\``,
  }),
  STATUS_UNKNOWN: (jobId: number, status: string): PlanNote => ({
    code: 'STATUS_UNKNOWN',
    message: `the status of job ${jobId} is ${status === 'undefined' ? 'missing' : `${status}, which isn't a known status`}`,
    hint: `\`partner jobs get ${jobId}\` shows it; \`partner jobs publish ${jobId}\` publishes it, if it can be`,
  }),
  JOB_GONE: (jobId: number): PlanNote => ({
    code: 'JOB_GONE',
    message: `the server does not know job ${jobId}`,
    hint: 'if this is another server or key than it was applied with, use that one; --recreate makes the job again',
  }),
  RECREATED: (jobId: number): PlanNote => ({
    code: 'JOB_GONE',
    message: `the server does not know job ${jobId}: a new one takes its place`,
  }),
  MOVED: (was: string): PlanNote => ({ code: 'MOVED', message: `it was ${was} when it was applied last` }),
  NO_LONGER_WANTED: (jobId: number, status: string): PlanNote => ({
    code: 'NO_LONGER_WANTED',
    message: `job ${jobId} is ${status}, and no file asks for it any more`,
    hint: hintOfUnwanted(jobId, status),
  }),
  PRUNED: (jobId: number, status: string | undefined): PlanNote => ({
    code: 'NO_LONGER_WANTED',
    message: `no file asks for job ${jobId} any more, which ${status === undefined ? 'the server does not know' : `is ${status}`}`,
  }),
  DRAFT_NOT_CLOSED: (jobId: number): PlanNote => ({
    code: 'DRAFT_NOT_CLOSED',
    message: `no file asks for job ${jobId} any more; it is a draft, and only live jobs can be closed`,
    hint: 'no candidate sees it: it can stay as it is',
  }),
  MATCH_UNCLEAR: (key: string, doubts: readonly Remembered[]): PlanNote => {
    const jobs = doubts.map((each) => `job ${each.entry.job} (${each.key})`);
    return {
      code: 'MATCH_UNCLEAR',
      message: `may be the listing of ${OR.format(jobs)}, whose last applied version is no longer in the files`,
      hint: `if it is, link it with --adopt ${key}=${doubts[0]?.entry.job}. If it's new, pass --create-anyway`,
    };
  },
  MAY_BE_HELD: (jobId: number, key: string): PlanNote => ({
    code: 'MATCH_UNCLEAR',
    message: `job ${jobId} isn't closed because it may belong to the held listing ${key}`,
  }),
  OTHER_OPENING: (key: string, job: ServerJob, title: unknown): PlanNote => {
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
  CREATED_ELSEWHERE: (jobId: number): PlanNote => ({
    code: 'CREATED_ELSEWHERE',
    message: `another run created job ${jobId} from this listing`,
  }),
  NOT_AS_SENT: (jobId: number, differences: string): PlanNote => ({
    code: 'NOT_AS_SENT',
    message: `the server's job ${jobId} differs from what was sent (sent → now): ${differences}`,
    hint: `check the job with \`partner jobs get ${jobId}\``,
  }),
  POSSIBLE_DUPLICATE: ({ key, ...wanted }: ListingSide, job: ServerJob, isHeld: boolean): PlanNote => ({
    code: 'POSSIBLE_DUPLICATE',
    message: `possible duplicate: job ${job.id} (${job.status}) has the same ${job.opportunityId && job.opportunityId === wanted.opportunityId ? 'opportunityId' : 'title and place'}, and the state doesn't list it`,
    hint: isHeld
      ? `if it's the same job, link it with --adopt ${key}=${job.id}. If it's another one, pass --ignore ${job.id} or --create-anyway. \`partner jobs close ${job.id}\` closes it`
      : `\`partner jobs close ${job.id}\` closes it. If it isn't a duplicate, pass --ignore ${job.id} to \`partner jobs apply\`. To keep it instead, close the listing's own job and pass --adopt ${key}=${job.id}`,
  }),
  OUTCOME_UNKNOWN: (key: string): PlanNote => ({
    code: 'OUTCOME_UNKNOWN',
    message: 'its create was sent in an earlier run and never answered: the job may exist',
    hint: `the next apply settles it where the server honours idempotency keys; elsewhere --adopt ${key}=ID takes the job that it became, --resend ${key} creates it again`,
  }),
} as const;

function hintOfUnwanted(jobId: number, status: string): string {
  if (status === 'DRAFT') return 'no candidate sees it: it can stay as it is';
  if (status === 'ACTIVE' || status === 'PAUSED') return '--prune closes it, where every listing is valid';
  return `\`partner jobs close ${jobId}\` closes it, if it can be`;
}

function hintOfEdit(jobId: number): string {
  return `--overwrite makes it as the file says; \`partner jobs export ${jobId}\` prints what the server has, to put into the file`;
}

function names(changes: readonly FieldChange[]): string {
  return AND.format(changes.map(({ field }) => field));
}
