import { isBelowBid } from '../contract/gate.ts';
import { BUDGET_WINDOWS } from '../contract/values.ts';
import { RESETS } from '../contract/words.ts';
import { details } from './terminal/blocks.ts';
import type { Column } from './terminal/column.ts';
import type { ListShape } from './terminal/list-shape.ts';
import { type Fields, fieldsIn, listIn, numberIn, textIn } from './terminal/read.ts';
import { table } from './terminal/table.ts';
import type { View } from './terminal/view.ts';
import { cents, counted, distance, word } from './terminal/words.ts';

export const BUDGET_COLUMNS: readonly Column<Fields>[] = [
  { title: 'WINDOW', text: ({ window }) => textIn(window) ?? '', value: place },
  {
    title: 'CAP',
    text: ({ budgetCents }) => cents(budgetCents) ?? '',
    value: ({ budgetCents }) => numberIn(budgetCents),
    csv: { title: 'CAP_CENTS', cell: ({ budgetCents }) => textIn(budgetCents) ?? '' },
    align: 'right',
  },
  { title: 'RESETS', text: ({ window }) => resets(window) ?? '', givesWay: 1 },
  { title: 'NOTES', text: ({ notes }) => textIn(notes) ?? '', shrinksTo: 8, givesWay: 2 },
];

/** The caps of a job, one a window. */
export function budgetTable(budgets: unknown, view: View, shape?: ListShape<Fields>): Promise<string> {
  return table(BUDGET_COLUMNS, inOrder(budgets), view, 'No caps: spending is unlimited.', shape);
}

/** The caps as a part of a job's card; one that hides the job from candidates says so. */
export function budgetLines(budgets: unknown, bidCents: unknown, view: View): string {
  return details(
    inOrder(budgets).map((budget) => {
      const reset = resets(budget.window);
      const tooLow = isTooLow(budget, bidCents) ? 'less than one bid: candidates do not see this job' : '';
      const cap = cents(budget.budgetCents);
      const parts = [cap, view.paint('yellow', tooLow), reset && `resets ${reset}`, textIn(budget.notes)];
      return [word(budget.window) ?? '–', parts.filter(Boolean).join(' · ')];
    }),
    view,
  );
}

/** The caps with what is spent of them in their windows now, and what each has skipped. */
export function budgetStateLines(states: unknown, view: View): string {
  return details(
    inOrder(states).map((state) => {
      const { budgetCents, spentCents, skippedCharges, resetsAt, isFilled, notes } = state;
      const skipped = numberIn(skippedCharges) ?? 0;
      const parts = [
        `${cents(spentCents) ?? '$0.00'} of ${cents(budgetCents) ?? 'an unknown cap'} spent`,
        isFilled === true ? view.paint('yellow', 'filled') : '',
        skipped > 0 ? `${counted(skipped, 'charge')} skipped` : '',
        resetsAt === null ? 'never resets' : `resets ${distance(resetsAt, view.now) ?? 'at an unknown time'}`,
        textIn(notes),
      ];
      return [word(state.window) ?? '–', parts.filter(Boolean).join(' · ')];
    }),
    view,
  );
}

/** `job's daily cap`: the one that a charge was skipped for. */
export function filledCap(filled: unknown): string | undefined {
  const { target, window } = fieldsIn(filled);
  const whose = textIn(target);
  return whose && `${whose}'s ${word(window) ?? 'own'} cap`;
}

function isTooLow({ budgetCents }: Fields, bidCents: unknown): boolean {
  const cap = numberIn(budgetCents);
  return cap !== undefined && isBelowBid(cap, numberIn(bidCents) ?? null);
}

/** From the shortest window to the longest; one that the contract does not know comes last. */
function inOrder(budgets: unknown): Fields[] {
  return listIn(budgets).sort((a, b) => place(a) - place(b));
}

function place({ window }: Fields): number {
  const windows: readonly unknown[] = BUDGET_WINDOWS;
  return windows.includes(window) ? windows.indexOf(window) : windows.length;
}

function resets(window: unknown): string | undefined {
  const name = textIn(window) ?? '';
  return Object.hasOwn(RESETS, name) ? RESETS[name as keyof typeof RESETS] : undefined;
}
