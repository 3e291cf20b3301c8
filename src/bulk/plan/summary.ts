import type { Plan, PlanAction, PlanNote } from './plan-item.ts';

/** How much of everything there is in a plan. */
export interface PlanSummary {
  readonly byAction: Readonly<Record<PlanAction, number>>;
  /** How many of them go live. */
  readonly publishing: number;
  readonly unchanged: number;
  readonly notices: number;
}

export function planSummary({ items, unchanged, notices }: Plan): PlanSummary {
  const byAction = { create: 0, update: 0, publish: 0, close: 0, record: 0, settle: 0, held: 0 };
  for (const { action } of items) byAction[action]++;
  const publishing = items.filter(({ publish }) => publish).length;
  return { byAction, publishing, unchanged, notices: notices.length };
}

/** Whether something is not as wanted: also what may not be made so, but not what only wants to be known. */
export function isSomethingToDo({ items }: Plan): boolean {
  return items.length > 0;
}

/** How many listings' jobs were edited on the server since they were applied. */
export function editedOnServer({ items, notices }: Plan): number {
  const isEdit = ({ code }: PlanNote): boolean => code === 'EDITED_ON_SERVER' || code === 'BOTH_CHANGED';
  return [...items, ...notices].filter(({ notes }) => notes.some(isEdit)).length;
}
