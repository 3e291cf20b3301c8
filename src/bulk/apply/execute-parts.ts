import type { ListingSet } from '../../listings/read/listing-set.ts';
import { fieldDigests } from '../plan/content.ts';
import type { DesiredListing } from '../plan/desired-listing.ts';
import { entryAfter } from '../plan/entry-after.ts';
import type { PlanItem } from '../plan/plan-item.ts';
import type { PlannedSet } from '../plan/plan-set.ts';
import { contentsOf, type SetReading } from '../read-set.ts';
import type { StateEntry } from '../state/state.ts';
import type { ExecuteParts, Task } from './execute.ts';

/** What a planned set knows of its items: the entry that each has once it was done. */
export function executeParts({
  matching,
  compared,
  plan,
}: PlannedSet): Pick<ExecuteParts, 'entryBefore' | 'entryAfter'> {
  const known = new Map<string, { wanted?: DesiredListing; before: StateEntry | undefined }>();
  const planned = new Set(plan.items.map(({ key }) => key));
  for (const { key, wanted, entry } of matching.matches) {
    if (planned.has(key)) known.set(key, { wanted, before: entry });
  }
  for (const { key, entry } of matching.orphans) known.set(key, { before: entry });
  return {
    entryBefore: ({ key }) => known.get(key)?.before,
    entryAfter(item, job) {
      const { wanted, before } = known.get(item.key) ?? { before: undefined };
      const content = compared.get(item.key);
      const opportunityId = wanted === undefined ? before?.opportunityId : wanted.opportunityId;
      return entryAfter(item, { file: content && fieldDigests(content), opportunityId, before, job });
    },
  };
}

/**
 * The items in their order, each create with its content; creates whose content did not fit into memory come
 * last, as their files are read once more.
 */
export async function* tasksOf(
  { plan, matching }: PlannedSet,
  { contents }: SetReading,
  listings: ListingSet,
): AsyncGenerator<Task> {
  const unread = new Map<string, PlanItem>();
  for (const item of plan.items) {
    const content = item.action === 'create' ? contents.get(item.key) : undefined;
    const digests = contents.digestsOf(item.key);
    contents.drop(item.key);
    if (item.action === 'create' && content === undefined) unread.set(item.key, item);
    else yield { item, content, digests };
  }
  if (unread.size === 0) return;
  const items = new Map<DesiredListing, PlanItem>();
  for (const { key, wanted } of matching.matches) {
    const item = unread.get(key);
    if (item !== undefined) items.set(wanted, item);
  }
  for await (const { wanted, content } of contentsOf([...items.keys()], contents, listings)) {
    yield { item: items.get(wanted) as PlanItem, content };
  }
}
