import type { Plan, PlanItem } from './plan-item.ts';

export type PlanComparison =
  | { readonly same: true }
  /** One line for each difference, in plain words. */
  | { readonly same: false; readonly differences: readonly string[] };

/** What of an item has to be as it was saved, and what it says of the listing where it is not. */
const COMPARED: readonly (readonly [
  part: keyof PlanItem,
  told: (saved: PlanItem, now: PlanItem) => string,
])[] = [
  ['action', (saved, now) => `was to be ${ACTIONS[saved.action]}, and now ${ACTIONS[now.action]}`],
  ['jobId', (saved, now) => `was ${jobOf(saved)}, and now is ${jobOf(now)}`],
  ['publish', (_, { publish }) => (publish ? 'now goes live too' : 'no longer goes live')],
  ['digest', () => 'has changed in its file'],
  ['patch', (saved, now) => `would have ${fieldsOf(saved)} changed, and now ${fieldsOf(now)}`],
  ['changes', () => 'has changed on the server'],
  ['was', () => 'was moved since'],
  ['replaces', () => 'now takes the place of another job'],
  ['forget', () => 'is remembered in another way now'],
];

const ACTIONS: Readonly<Record<PlanItem['action'], string>> = {
  create: 'created',
  update: 'updated',
  publish: 'published',
  close: 'closed',
  record: 'recorded',
  settle: 'settled',
  held: 'held',
};

/**
 * Whether a saved plan is still what has to be done: the same items, each the same in all that is sent or
 * shown as changed. Either side may have gone through JSON.
 */
export function samePlan(saved: Plan, now: Plan): PlanComparison {
  const items = new Map(now.items.map((item) => [item.key, item]));
  const differences: string[] = [];
  for (const item of saved.items) {
    const current = items.get(item.key);
    items.delete(item.key);
    const difference = current === undefined ? 'needs nothing any more' : differenceOf(item, current);
    if (difference !== undefined) differences.push(`${item.key}: ${difference}`);
  }
  for (const { key, action } of items.values()) {
    differences.push(`${key}: is to be ${ACTIONS[action]}, which was not planned`);
  }
  return differences.length === 0 ? { same: true } : { same: false, differences };
}

/** The first, which explains those behind it. */
function differenceOf(saved: PlanItem, now: PlanItem): string | undefined {
  return COMPARED.find(([part]) => textOf(saved[part]) !== textOf(now[part]))?.[1](saved, now);
}

/** The same for the same content, whatever the order of its keys. */
function textOf(value: unknown): string | undefined {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function jobOf({ jobId }: PlanItem): string {
  return jobId === undefined ? 'no job' : `job ${jobId}`;
}

function fieldsOf({ patch }: PlanItem): string {
  return Object.keys(patch).join(', ') || 'nothing';
}
