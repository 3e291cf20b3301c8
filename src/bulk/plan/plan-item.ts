import type { Difference } from '../../contract/entries.ts';
import type { JobContent, JobUpdate } from '../../contract/job.ts';
import type { Expiring } from '../../contract/lifecycle.ts';
import type { Origins } from '../../listings/read/listing.ts';
import type { PlanNote } from './notes.ts';

/** See "Actions" in docs/bulk.md. Unchanged listings are only counted. */
export const PLAN_ACTIONS = ['create', 'update', 'publish', 'close', 'record', 'settle', 'held'] as const;

export type PlanAction = (typeof PLAN_ACTIONS)[number];

export interface FieldChange extends Difference {
  readonly field: keyof JobContent;
}

/** A job that needs attention, but no change. */
export interface PlanNotice {
  readonly key: string;
  readonly label?: string | undefined;
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly jobId: number | undefined;
  readonly status: string | undefined;
  readonly changes: readonly FieldChange[];
  readonly notes: readonly PlanNote[];
  readonly notLive?: PlanNote['code'] | undefined;
  readonly origins?: Origins | undefined;
}

export interface PlanItem extends PlanNotice {
  readonly action: PlanAction;
  readonly publish: boolean;
  readonly digest: string;
  readonly patch: JobUpdate;
  readonly was?: string | undefined;
  readonly replaces?: number | undefined;
  readonly forget?: boolean | undefined;
}

/** With the action `none`, a step becomes a notice. */
export type PlanStep = PlanItem | (Omit<PlanItem, 'action'> & { readonly action: 'none' });

export interface Plan {
  readonly items: readonly PlanItem[];
  readonly unchanged: number;
  readonly notices: readonly PlanNotice[];
  readonly live: number;
  readonly expiring?: Expiring | null;
  /** False if the server can't list jobs. Jobs created elsewhere aren't detected then. */
  readonly complete?: boolean;
}

export interface PlanOptions {
  readonly prune: boolean;
  readonly overwrite: boolean;
  readonly repost: boolean;
  readonly recreate: boolean;
  readonly createAnyway: boolean;
  readonly replace: readonly string[];
}
