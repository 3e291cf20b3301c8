import { isBelowBid } from '../contract/gate.ts';
import { formatCents } from '../contract/money.ts';
import { BUDGET_WINDOWS } from '../contract/values.ts';
import { counted, RESETS, valueWord } from '../contract/words.ts';
import type { FilledWindow } from '../engine/billing/charge.ts';
import type { BudgetState } from '../engine/companies/budget-states.ts';
import { details } from './terminal/blocks.ts';
import { clean } from './terminal/clean.ts';
import type { Column } from './terminal/column.ts';
import type { ListShape } from './terminal/list-shape.ts';
import { type Fields, listIn, numberIn, textIn } from './terminal/read.ts';
import { table } from './terminal/table.ts';
import type { View } from './terminal/view.ts';
import { cents, distance, word } from './terminal/words.ts';

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
export function budgetStateLines(states: readonly BudgetState[], view: View): string {
  return details(
    states.map(({ window, budgetCents, spentCents, skippedCharges, resetsAt, isFilled, notes }) => {
      const parts = [
        `${formatCents(spentCents)} of ${formatCents(budgetCents)} spent`,
        isFilled && view.paint('yellow', 'filled'),
        skippedCharges > 0 && `${counted(skippedCharges, 'charge')} skipped`,
        resetsAt === null ? 'never resets' : `resets ${distance(resetsAt, view.now)}`,
        notes === null ? '' : clean(notes),
      ];
      return [valueWord(window), parts.filter(Boolean).join(' · ')];
    }),
    view,
  );
}

/** `job's daily cap`: the one that a charge was skipped for. */
export function filledCap({ target, window }: FilledWindow): string {
  return `${target}'s ${valueWord(window)} cap`;
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
