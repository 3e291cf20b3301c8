import { PartnerError } from '../../contract/errors.ts';
import { inPool } from '../../contract/promises.ts';
import type { PlanItem } from '../plan/plan-item.ts';
import { type ExecuteParts, execute, type Task, untouched } from './execute.ts';
import type { ApplyProgress, ItemOutcome } from './outcome.ts';
import type { RunStop } from './run-stop.ts';

export interface ApplyOptions {
  readonly concurrency: number;
  readonly stop: RunStop;
  readonly onProgress: (progress: ApplyProgress) => void;
}

/**
 * Does the items of a plan; gives what became of each, in the plan's order. Once `stop` has a reason nothing
 * more is begun, what is in flight is finished, and the rest is `left`. Throws what is no error of a call,
 * after what was in flight has ended.
 */
export async function applyItems(
  items: readonly PlanItem[],
  tasks: AsyncIterable<Task>,
  parts: ExecuteParts,
  { concurrency, stop, onProgress }: ApplyOptions,
): Promise<ItemOutcome[]> {
  const outcomes = new Map<string, ItemOutcome>();
  const progress = { total: items.length, done: 0, failed: 0, inFlight: 0, startedAt: parts.monotonicNow() };
  const settled = (outcome: ItemOutcome): void => {
    outcomes.set(outcome.item.key, outcome);
    progress.done++;
    if (outcome.result === 'failed' || outcome.result === 'unknown') progress.failed++;
    onProgress({ ...progress });
  };
  const work = async (task: Task): Promise<void> => {
    progress.inFlight++;
    const outcome = await execute(task, parts);
    progress.inFlight--;
    stop.note(outcome.error);
    settled(outcome);
  };
  await inPool(tasks, concurrency, work, () => stop.reason !== undefined);
  const why = stop.reason ?? parts.gate.refusal;
  return items.map((item) => outcomes.get(item.key) ?? untouched(item, 'left', why));
}

/** INTERRUPTED, as the reason that a run was stopped by Ctrl-C. */
export function interruption(): PartnerError {
  return new PartnerError('INTERRUPTED', { message: 'interrupted before its turn' });
}
