import type { PartnerError } from '../../contract/errors.ts';
import type { PlanItem } from '../plan/plan-item.ts';

/** What became of an item of the plan. */
export type ApplyResult =
  | 'created'
  | 'updated'
  | 'published'
  | 'closed'
  /** Only the state has changed. */
  | 'recorded'
  /** Not as wanted, and left so; the item's notes say why. */
  | 'held'
  | 'failed'
  /** The job may or may not exist: `--adopt` or `--resend` settles it. */
  | 'unknown'
  /** Not attempted: the run was interrupted, or stopped for a reason that concerns all. */
  | 'left';

export interface ItemOutcome {
  readonly item: PlanItem;
  readonly result: ApplyResult;
  /** Undefined where there is no job, or none is known. */
  readonly jobId: number | undefined;
  /** Whether the job went live in this run. */
  readonly published: boolean;
  /** For `failed`, `unknown`, and `left` where something stopped the run. */
  readonly error: PartnerError | undefined;
  readonly durationMs: number;
}

/** What an apply has come to, as progress shows it. */
export interface ApplyProgress {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly inFlight: number;
  /** When the first item was begun, in epoch ms. */
  readonly startedAt: number;
}
