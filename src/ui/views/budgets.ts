import { details } from '../blocks.ts';
import { type Column, table } from '../table.ts';
import type { View } from '../view.ts';
import { type Fields, listIn, textIn } from './read.ts';
import { cents, word } from './words.ts';

/** Section 8, rule 3: when a window starts anew. */
const RESETS: Readonly<Record<string, string>> = {
  DAILY: 'every day at 00:00 UTC',
  WEEKLY: 'on Mondays at 00:00 UTC',
  MONTHLY: 'on the 1st at 00:00 UTC',
  LIFETIME: 'never',
};

const COLUMNS: readonly Column<Fields>[] = [
  { title: 'WINDOW', text: ({ window }) => textIn(window) ?? '' },
  { title: 'CAP', text: ({ budgetCents }) => cents(budgetCents) ?? '', align: 'right' },
  { title: 'RESETS', text: ({ window }) => resets(window) ?? '', givesWay: 1 },
  { title: 'NOTES', text: ({ notes }) => textIn(notes) ?? '', shrinksTo: 8, givesWay: 2 },
];

/** The caps of a job, one a window. */
export function budgetTable(budgets: unknown, view: View): Promise<string> {
  return table(COLUMNS, listIn(budgets), view, 'No caps: spending is unlimited.');
}

/** The caps as a part of a job's card. */
export function budgetLines(budgets: unknown, view: View): string {
  return details(
    listIn(budgets).map((budget) => {
      const reset = resets(budget.window);
      const parts = [cents(budget.budgetCents), reset && `resets ${reset}`, textIn(budget.notes)];
      return [word(budget.window) ?? '–', parts.filter(Boolean).join(' · ')];
    }),
    view,
  );
}

function resets(window: unknown): string | undefined {
  const name = textIn(window) ?? '';
  return Object.hasOwn(RESETS, name) ? RESETS[name] : undefined;
}
