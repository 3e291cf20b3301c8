import type { Difference } from '../../contract/entries.ts';
import { ERRORS, EXIT, type PartnerError } from '../../contract/errors.ts';
import type { Plan, PlanItem } from '../plan/plan-item.ts';

export const DONE = ['created', 'updated', 'published', 'closed', 'recorded'] as const;
export const NOT_DONE = ['held', 'failed', 'unknown', 'left'] as const;

/** See "Results" in docs/bulk.md. */
export type ApplyResult = (typeof DONE | typeof NOT_DONE)[number];

export interface ItemOutcome {
  readonly item: PlanItem;
  readonly result: ApplyResult;
  readonly jobId: number | undefined;
  readonly published: boolean;
  readonly error: PartnerError | undefined;
  readonly differences?: readonly Difference[];
  readonly durationMs: number;
}

export interface RunEnd {
  readonly plan: Plan;
  readonly outcomes: readonly ItemOutcome[];
  readonly isTwice?: boolean;
  readonly invalid: number;
  readonly stopped: PartnerError | undefined;
  readonly gate: PartnerError | undefined;
}

/** Returns the exit code by precedence: stopped run, pending creates, listings not live, failures (docs/bulk.md). */
export function applyExit({ plan, outcomes, invalid, stopped, isTwice }: RunEnd): number {
  if (stopped !== undefined) return stopped.exit;
  if (outcomes.some(({ result }) => result === 'unknown')) return ERRORS.OUTCOME_UNKNOWN.exit;
  const { live, notLive } = liveCounts(plan, outcomes);
  if (notLive > 0) return live > 0 ? EXIT.someFailed : EXIT.allFailed;
  const notDone = outcomes.filter(isNotDone).length + invalid;
  const isPartlyDone = outcomes.some(({ item }) => item.notes.some(({ code }) => code === 'FROZEN'));
  if (notDone === 0) return isTwice || isPartlyDone ? EXIT.someFailed : EXIT.done;
  return notDone === outcomes.length + invalid ? EXIT.allFailed : EXIT.someFailed;
}

export function isNotDone({ result }: Pick<ItemOutcome, 'result'>): boolean {
  return NOT_DONE.some((each) => each === result);
}

export function findNotLiveReason(outcome: ItemOutcome): string | undefined {
  const { item, error } = outcome;
  if (isLiveNow(outcome) || !(item.publish || item.notLive)) return undefined;
  return error?.serverCode ?? error?.code ?? item.notLive ?? 'STATUS_UNKNOWN';
}

function isLiveNow({ item, result, published, error }: ItemOutcome): boolean {
  return published || (item.publish && result === 'recorded' && error === undefined);
}

/** Counts the listings that should be live, now or after an apply. A pause isn't a failure (decision 35). */
export function liveCounts({ items, notices, live }: Plan, outcomes?: readonly ItemOutcome[]) {
  const now = [...(outcomes?.map(findNotLiveReason) ?? items.map(({ notLive }) => notLive))];
  const codes = [...now, ...notices.map(({ notLive }) => notLive)].filter((code) => code !== undefined);
  const paused = codes.filter((code) => code === 'PAUSED').length;
  const published = outcomes?.filter(isLiveNow).length ?? 0;
  return { live: live + published, notLive: codes.length - paused, paused };
}
