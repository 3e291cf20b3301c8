import { ERRORS, EXIT, type PartnerError } from '../../contract/errors.ts';
import type { Plan, PlanItem } from '../plan/plan-item.ts';

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
  readonly plan: Plan;
  readonly outcomes: readonly ItemOutcome[];
  /** Another runner created jobs from the same listings meanwhile. */
  readonly isTwice?: boolean;
  /** How many listings were left out as invalid (`--keep-going`). */
  readonly invalid: number;
  readonly stopped: PartnerError | undefined;
  /** The refusal of terms or card that stopped the publishing. */
  readonly gate: PartnerError | undefined;
}

export const NOT_DONE: readonly ApplyResult[] = ['failed', 'held', 'unknown', 'left'];

/** Precedence: stopped run, pending creates, listings not live, failures (docs/bulk.md, "Exit codes"). */
export function applyExit({ plan, outcomes, invalid, stopped, isTwice }: RunEnd): number {
  if (stopped !== undefined) return stopped.exit;
  if (outcomes.some(({ result }) => result === 'unknown')) return ERRORS.OUTCOME_UNKNOWN.exit;
  const { live, notLive } = liveCounts(plan, outcomes);
  if (notLive > 0) return live > 0 ? EXIT.someFailed : EXIT.allFailed;
  const notDone = outcomes.filter(({ result }) => NOT_DONE.includes(result)).length + invalid;
  if (notDone === 0) return isTwice || outcomes.some(isDoneInPart) ? EXIT.someFailed : EXIT.done;
  return notDone === outcomes.length + invalid ? EXIT.allFailed : EXIT.someFailed;
}

/** Code of the error or note that explains why a listing isn't live after an apply although it should be. */
export function notLiveAfter(outcome: ItemOutcome): string | undefined {
  const { item, error } = outcome;
  if (isLiveAfter(outcome) || !(item.publish || item.notLive)) return undefined;
  return error?.serverCode ?? error?.code ?? item.notLive ?? 'STATUS_UNKNOWN';
}

/** Went live in this run, or in the one that created its job. */
function isLiveAfter({ item, result, published, error }: ItemOutcome): boolean {
  return published || (item.publish && result === 'recorded' && error === undefined);
}

/** Counts the listings that should be live, now or after an apply. A pause isn't a failure (decision 35). */
export function liveCounts({ items, notices, live }: Plan, outcomes?: readonly ItemOutcome[]) {
  const now = [...(outcomes?.map(notLiveAfter) ?? items.map(({ notLive }) => notLive))];
  const codes = [...now, ...notices.map(({ notLive }) => notLive)].filter((code) => code !== undefined);
  const paused = codes.filter((code) => code === 'PAUSED').length;
  const published = outcomes?.filter(isLiveAfter).length ?? 0;
  return { live: live + published, notLive: codes.length - paused, paused };
}

/** The update omitted frozen fields. The next run holds them. */
function isDoneInPart({ item }: ItemOutcome): boolean {
  return item.notes.some(({ code }) => code === 'FROZEN');
}
