import type { Expiring } from '../../contract/expiring.ts';
import type { JobContent, JobUpdate } from '../../contract/job.ts';

/** What is to be done with a listing (docs/bulk.md, "Actions"); what needs no doing is counted, not listed. */
export type PlanAction = 'create' | 'update' | 'publish' | 'close' | 'record' | 'settle' | 'held';

/** One field that the plan changes, or would. `from` is what the server has. */
export interface FieldChange {
  readonly field: keyof JobContent;
  readonly from: unknown;
  readonly to: unknown;
}

/** Each is explained in docs/bulk.md, "Notes". */
type NoteCode =
  | 'EDITED_ON_SERVER'
  | 'BOTH_CHANGED'
  | 'FROZEN'
  | 'CLOSED'
  | 'EXPIRED'
  | 'PAUSED'
  | 'STATUS_UNKNOWN'
  | 'JOB_GONE'
  | 'MOVED'
  | 'NO_LONGER_WANTED'
  | 'DRAFT_NOT_CLOSED'
  | 'OUTCOME_UNKNOWN'
  | 'MATCH_UNCLEAR'
  | 'OTHER_OPENING'
  | 'CREATED_ELSEWHERE'
  | 'NOT_AS_SENT'
  | 'POSSIBLE_DUPLICATE';

export interface PlanNote {
  readonly code: NoteCode;
  /** Without the listing's name: a row has that. */
  readonly message: string;
  readonly hint?: string | undefined;
}

interface PlannedListing {
  readonly key: string;
  /** As the user named it; undefined where the listing is no longer in the set, as is `line`. */
  readonly file: string | undefined;
  readonly line: number | undefined;
  /** Undefined where the job is yet to be made. */
  readonly jobId: number | undefined;
  readonly status: string | undefined;
  /** Field by field: what is sent, and for what is not done what would be. Empty for `create`. */
  readonly changes: readonly FieldChange[];
  readonly notes: readonly PlanNote[];
  /** Why the listing isn't live although it should be. */
  readonly notLive?: NoteCode | undefined;
  /** By field, the `_defaults.yaml` that gives it, or says what its places mean. */
  readonly origins?: Readonly<Record<string, string>> | undefined;
}

export interface PlanItem extends PlannedListing {
  readonly action: PlanAction;
  readonly publish: boolean;
  /** Of the listing's content as it was read; '' where it is no longer in the set. */
  readonly digest: string;
  /** What is sent for an `update`; empty for every other action. */
  readonly patch: JobUpdate;
  /** The key that the state has the listing under so far, where that is another. */
  readonly was?: string | undefined;
  readonly replaces?: number | undefined;
  /** With `close` and `record`: the state forgets the listing once it is done. */
  readonly forget?: boolean | undefined;
}

export interface PlanNotice extends PlannedListing {
  readonly jobId: number;
}

export interface Plan {
  /** In the order of the set; what is no longer in the set comes last, by key. */
  readonly items: readonly PlanItem[];
  readonly unchanged: number;
  readonly notices: readonly PlanNotice[];
  /** How many listings should be live and already are. */
  readonly live: number;
  readonly expiring?: Expiring | null;
  /** False if the server couldn't list jobs: a job created elsewhere isn't detected. */
  readonly complete?: boolean;
}

export interface PlanOptions {
  readonly prune: boolean;
  readonly overwrite: boolean;
  readonly repost: boolean;
  readonly recreate: boolean;
  /** Creates listings even if they may belong, or once belonged, to existing jobs. */
  readonly createAnyway: boolean;
  /** Keys of listings whose published jobs are allowed to change to another opening. */
  readonly replace: readonly string[];
}
