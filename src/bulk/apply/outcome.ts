import { ERRORS, EXIT, type PartnerError } from '../../contract/errors.ts';
import type { PlanItem } from '../plan/plan-item.ts';

/** Explained in docs/bulk.md, "Results". */
export type ApplyResult =
  | 'created'
  | 'updated'
  | 'published'
  | 'closed'
  | 'recorded'
  | 'held'
  | 'failed'
  | 'unknown'
  | 'left';

export interface ItemOutcome {
  readonly item: PlanItem;
  readonly result: ApplyResult;
  readonly jobId: number | undefined;
  readonly published: boolean;
  readonly error: PartnerError | undefined;
  readonly durationMs: number;
}

/** What an apply has come to, as far as its exit code goes by it. */
export interface RunEnd {
  readonly outcomes: readonly ItemOutcome[];
  /** How many listings were left out as invalid (`--keep-going`). */
  readonly invalid: number;
  readonly stopped: PartnerError | undefined;
  /** The refusal of terms or card that stopped the publishing. */
  readonly gate: PartnerError | undefined;
}

export const NOT_DONE: readonly ApplyResult[] = ['failed', 'held', 'unknown', 'left'];

/** What stopped the run comes first, then what only a person can settle, then how much failed (cli.md, "Exit codes"). */
export function applyExit({ outcomes, invalid, stopped, gate }: RunEnd): number {
  if (stopped !== undefined) return stopped.exit;
  if (outcomes.some(({ result }) => result === 'unknown')) return ERRORS.OUTCOME_UNKNOWN.exit;
  if (gate !== undefined) return gate.exit;
  const notDone = outcomes.filter(({ result }) => NOT_DONE.includes(result)).length + invalid;
  if (notDone === 0) return outcomes.some(isDoneInPart) ? EXIT.someFailed : EXIT.done;
  return notDone === outcomes.length + invalid ? EXIT.allFailed : EXIT.someFailed;
}

/** Frozen fields were left out of the patch, a job of an unknown status may not be live: the next run holds these. */
function isDoneInPart({ item }: ItemOutcome): boolean {
  return item.notes.some(({ code }) => code === 'FROZEN' || code === 'STATUS_UNKNOWN');
}
