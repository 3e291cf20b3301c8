import type { JobContent, JobUpdate } from '../../contract/job.ts';

/** What is to be done with a listing; what needs no doing is counted, not listed. */
export type PlanAction =
  /** A new job, live at once where `publish` is set. */
  | 'create'
  /** A patch to its job, and its publication behind it where `publish` is set. */
  | 'update'
  /** Nothing but the publication of a draft. */
  | 'publish'
  /** `--prune`: the listing is no longer wanted, and its job is ACTIVE or PAUSED. */
  | 'close'
  /** Nothing on the server; the state learns something: a renamed file, a change that is there already. */
  | 'record'
  /** A create of an earlier run whose outcome is not known yet. */
  | 'settle'
  /** It is not as wanted, and may not be made so: the notes say why. */
  | 'held';

/** One field that the plan changes, or would. `from` is what the server has. */
export interface FieldChange {
  readonly field: keyof JobContent;
  readonly from: unknown;
  readonly to: unknown;
}

/** Why something is not done, or is worth knowing. Closed: reports and tests go by the code. */
type NoteCode =
  /** Fields were edited on the server and the file is as it was: left alone without `--overwrite`. */
  | 'EDITED_ON_SERVER'
  /** The same fields changed in the file and on the server: held without `--overwrite`. */
  | 'BOTH_CHANGED'
  /** `qualifications` or `questions` changed in the file, and the job has applications (section 3, rule 4). */
  | 'FROZEN'
  /** The job was closed: terminal (section 3, rule 5). */
  | 'CLOSED'
  /** The job has expired (decision 9): `--repost` makes a new one. */
  | 'EXPIRED'
  /** The listing is to be live and somebody has paused its job: left paused. */
  | 'PAUSED'
  /** The listing is to be live, and the status of its job is none of the contract's, or not given: left as it is. */
  | 'STATUS_UNKNOWN'
  /** The server does not know the job: another key, or a server that was emptied; `--recreate` makes it again. */
  | 'JOB_GONE'
  /** The listing was renamed: found again by its `opportunityId` or its content. `was` is in the text. */
  | 'MOVED'
  /** A file that is no longer wanted; `--prune` closes its job. */
  | 'NO_LONGER_WANTED'
  /** `--prune` wants a job closed that is a draft: only live ones can be (section 3). */
  | 'DRAFT_NOT_CLOSED'
  /** The outcome of its create is not known: `--adopt` or `--resend` settles it. */
  | 'OUTCOME_UNKNOWN';

export interface PlanNote {
  readonly code: NoteCode;
  /** Plain words, without the listing's name. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string | undefined;
}

export interface PlanItem {
  readonly key: string;
  /** As the user named it; undefined where the listing is no longer in the set. */
  readonly file: string | undefined;
  /** From 1; undefined where the listing is no longer in the set. */
  readonly line: number | undefined;
  readonly action: PlanAction;
  /** Undefined where the job is yet to be made. */
  readonly jobId: number | undefined;
  /** The status that the server gave; undefined where there is no job. */
  readonly status: string | undefined;
  /** Whether the job goes live too: with `create` at once, with `update` behind it. */
  readonly publish: boolean;
  /** Of the listing's content as it was read; '' where it is no longer in the set. */
  readonly digest: string;
  /** What is sent for an `update`; empty for every other action. */
  readonly patch: JobUpdate;
  /** Field by field: what is sent, and for `held` what would be. Empty for `create`. */
  readonly changes: readonly FieldChange[];
  readonly notes: readonly PlanNote[];
  /** The key that the state has the listing under so far, where that is another. */
  readonly was?: string | undefined;
  /** The job that a repost or a recreate takes the place of. */
  readonly replaces?: number | undefined;
  /** With `close` and `record`: the state forgets the listing once it is done. */
  readonly forget?: boolean | undefined;
}

export interface Plan {
  /** In the order of the set; what is no longer in the set comes last, by key. */
  readonly items: readonly PlanItem[];
  /** How many listings need nothing: those that no item and no notice names. */
  readonly unchanged: number;
  /** Listings that need nothing but that somebody should know of: `action` is what would be done, nothing is. */
  readonly notices: readonly PlanNotice[];
}

/** Something to know of a listing that is left as it is: EDITED_ON_SERVER, PAUSED, CLOSED, EXPIRED, NO_LONGER_WANTED… */
export interface PlanNotice {
  readonly key: string;
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly jobId: number;
  readonly status: string | undefined;
  readonly changes: readonly FieldChange[];
  readonly notes: readonly PlanNote[];
}

export interface PlanOptions {
  readonly prune: boolean;
  readonly overwrite: boolean;
  readonly repost: boolean;
  readonly recreate: boolean;
}
