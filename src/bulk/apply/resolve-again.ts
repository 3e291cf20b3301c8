import { inPool } from '../../contract/promises.ts';
import type { Intent } from '../state/state.ts';
import type { CreateOutcome } from './create.ts';
import { madeLive } from './execute.ts';
import type { ItemOutcome } from './outcome.ts';
import { type PendingParts, resolvePending, suggestResolution } from './resolve-pending.ts';

/**
 * Once more, for creates of this run that stayed unknown: by now the server may have shown that it honours
 * keys. What is unknown even then is told with the way to settle it. `claimed` gives the jobs that listings have
 * once that is done.
 */
export async function resettled(
  outcomes: readonly ItemOutcome[],
  pending: ReadonlyMap<string, Intent>,
  claimed: () => ReadonlySet<number>,
  parts: PendingParts,
): Promise<readonly ItemOutcome[]> {
  if (pending.size === 0) return outcomes;
  const intents = new Map(pending);
  const settled = await resolvePending(pending.values(), parts);
  const ways = await suggestResolution(pending.values(), parts.client, claimed());
  const known = new Map<ItemOutcome, ItemOutcome>();
  await inPool(outcomes, parts.concurrency, async (outcome) => {
    const { key } = outcome.item;
    const now = outcome.result === 'unknown' ? settled.get(key) : undefined;
    if (now === undefined) return;
    const settledTo = outcomeOf(outcome, now, ways.get(key));
    const isDraft = 'made' in now && now.made.status === 'DRAFT';
    const isToBeLive = intents.get(key)?.body.publish === true && outcome.item.file !== undefined;
    known.set(outcome, isDraft && isToBeLive ? await madeLive(settledTo, now.made.id, parts) : settledTo);
  });
  return outcomes.map((outcome) => known.get(outcome) ?? outcome);
}

function outcomeOf(outcome: ItemOutcome, now: CreateOutcome, way: string | undefined): ItemOutcome {
  if ('made' in now) {
    const published = now.made.status === 'ACTIVE';
    return { ...outcome, result: 'created', jobId: now.made.id, published, error: undefined };
  }
  if ('refused' in now) return { ...outcome, result: 'failed', error: now.refused };
  return { ...outcome, error: way === undefined ? now.unknown : now.unknown.withHint(way) };
}
