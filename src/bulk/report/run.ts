import type { FindingTotals } from '../../intake/tally.ts';
import type { ItemOutcome } from '../apply/outcome.ts';
import type { Plan } from '../plan/plan-item.ts';

/** The target of a run that no server has seen. */
export const BUNDLED_ENGINE = 'bundled engine';

/** What was made of a place that a listing gives as text. */
export interface ResolvedPlace {
  readonly text: string;
  readonly displayName: string;
  readonly locationId: number;
}

/** One run of `jobs plan` or `jobs apply`, as its reports tell it. */
export interface BulkRun {
  readonly command: 'plan' | 'apply';
  /** Undefined where the check of the files has stopped the run before there was one. */
  readonly plan: Plan | undefined;
  /** Of an apply, in the plan's order; empty for a plan. */
  readonly outcomes: readonly ItemOutcome[];
  /** What the check of the files found. */
  readonly found: FindingTotals;
  readonly places?: readonly ResolvedPlace[] | undefined;
  /** In epoch ms. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** The API's root that the jobs are on. */
  readonly server: string;
  /** BUNDLED_ENGINE, or the server again: what a reader is told of where the calls went. */
  readonly target: string;
  readonly statePath: string;
}
