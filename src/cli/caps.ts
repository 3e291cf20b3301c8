import type { PartnerClient } from '../client/client.ts';
import type { FromServer, JobFields } from '../client/server-job.ts';
import { budgetWarnings, capBelowBid, isBelowBid } from '../contract/gate.ts';
import type { BudgetInput, Job } from '../contract/job.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../contract/values.ts';
import { formatCents, formatCount, RESETS, valueWord } from '../contract/words.ts';
import type { BudgetState } from '../engine/applications/caps.ts';
import type { FilledWindow } from '../engine/billing/charge.ts';
import { describeRaisedJob } from './confirmation.ts';
import { readBudgets } from './job-input.ts';
import { type Column, type ListShape, table } from './terminal/table.ts';
import { clean, type Detail, details, type View } from './terminal/view.ts';
import { amountColumn, cents, distance, oneLine, word } from './terminal/words.ts';

export function capWarnings({ budgets = [], bidPerQualifiedApplicantCents = null }: JobFields): string[] {
  const known = budgets.filter(
    ({ window, budgetCents }) => window !== undefined && budgetCents !== undefined,
  ) as Job['budgets'];
  return budgetWarnings({ budgets: known, bidPerQualifiedApplicantCents }).map(
    ({ message, hint }) => `warning: ${message}; ${hint}`,
  );
}

interface CapChange {
  readonly drop: 'all' | readonly BudgetWindow[];
  readonly given: readonly BudgetInput[];
}

export function mergeCaps(standing: readonly BudgetInput[], { drop, given }: CapChange): BudgetInput[] {
  const gone = drop === 'all' ? BUDGET_WINDOWS : [...drop, ...given.map(({ window }) => window)];
  return [...standing.filter(({ window }) => !gone.includes(window)), ...given];
}

type Confirm = (describe: () => Promise<string>) => Promise<void>;

/** Requires confirmation before sending a raised or removed cap. */
export async function changeCaps(client: PartnerClient, id: number, change: CapChange, confirm: Confirm) {
  // Caps are replaced as a whole, so they are read first to keep those of other windows.
  const before = change.drop === 'all' ? undefined : await client.getJob(id);
  const sent = { budgets: mergeCaps(before ? readBudgets(before) : [], change) };
  await confirm(async () => describeRaisedJob(before ?? (await client.getJob(id)), sent));
  return { sent, job: await client.updateJob(id, sent) };
}

type Budget = FromServer<Job['budgets'][number]>;

export const BUDGET_COLUMNS: readonly Column<Budget>[] = [
  { title: 'WINDOW', text: ({ window = '' }) => window, value: getRank },
  amountColumn('CAP', ({ budgetCents }) => budgetCents),
  { title: 'RESETS', text: ({ window }) => findReset(window) ?? '', givesWay: 1 },
  { title: 'NOTES', text: ({ notes }) => notes ?? '', shrinksTo: 8, givesWay: 2 },
];

export function budgetTable(budgets: readonly Budget[] | undefined, view: View, shape?: ListShape<Budget>) {
  return table(BUDGET_COLUMNS, inOrder(budgets), view, 'No caps: spending is unlimited.', shape);
}

export function budgetLines(
  { budgets, bidPerQualifiedApplicantCents: bidCents = null }: JobFields,
  view: View,
): string {
  const rows = inOrder(budgets).map(({ window, budgetCents, notes }): Detail => {
    const isTooLow = budgetCents && bidCents && isBelowBid(budgetCents, bidCents);
    const parts = [
      cents(budgetCents),
      isTooLow && view.paint('yellow', `less than one bid: ${capBelowBid(bidCents)}`),
      budgetCents === 0 && view.paint('yellow', 'hidden from candidates'),
      findReset(window) && `resets ${findReset(window)}`,
      oneLine(notes),
    ];
    return [word(window) ?? '–', parts.filter(Boolean).join(' · ')];
  });
  return details(rows, view);
}

export function budgetStateLines(states: readonly BudgetState[], view: View): string {
  const rows = states.map((state): Detail => {
    const { window, budgetCents, spentCents, skippedCharges, resetsAt, isFilled, notes } = state;
    const parts = [
      `${formatCents(spentCents)} of ${formatCents(budgetCents)} spent`,
      isFilled && view.paint('yellow', 'filled'),
      skippedCharges > 0 && `${formatCount(skippedCharges, 'charge')} skipped`,
      resetsAt === null ? 'never resets' : `resets ${distance(resetsAt, view.now)}`,
      notes === null ? '' : clean(notes),
    ];
    return [valueWord(window), parts.filter(Boolean).join(' · ')];
  });
  return details(rows, view);
}

export function describeFilledCap({ target, window }: FilledWindow): string {
  return `${target}'s ${valueWord(window)} cap`;
}

function inOrder(budgets: readonly Budget[] = []): Budget[] {
  return [...budgets].sort((a, b) => getRank(a) - getRank(b));
}

function getRank({ window = '' }: Budget): number {
  const windows: readonly string[] = BUDGET_WINDOWS;
  return windows.includes(window) ? windows.indexOf(window) : windows.length;
}

function findReset(window = ''): string | undefined {
  return Object.hasOwn(RESETS, window) ? RESETS[window as keyof typeof RESETS] : undefined;
}
