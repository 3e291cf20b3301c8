import { filledCap } from '../../cli/budget-table.ts';
import { paragraph } from '../../cli/terminal/blocks.ts';
import type { Column } from '../../cli/terminal/column.ts';
import type { ListShape } from '../../cli/terminal/list-shape.ts';
import { type Fields, fieldsIn, listIn, numberIn, textIn } from '../../cli/terminal/read.ts';
import { table } from '../../cli/terminal/table.ts';
import type { View } from '../../cli/terminal/view.ts';
import { cents, counted } from '../../cli/terminal/words.ts';

const LINE_COLUMNS: readonly Column<Fields>[] = [
  { title: 'JOB', text: ({ jobId }) => textIn(jobId) ?? '' },
  { title: 'TITLE', text: ({ title }) => textIn(title) ?? '', shrinksTo: 12, givesWay: 2 },
  { ...amountColumn('BID', 'bidCents', 'BID_CENTS'), givesWay: 1 },
  {
    title: 'APPLICANTS',
    text: ({ applications }) => textIn(applications) ?? '',
    align: 'right',
  },
];

/** What is charged, and nothing else (8.5b). */
export const INVOICE_COLUMNS = [...LINE_COLUMNS, amountColumn('CHARGED', 'chargedCents', 'CHARGED_CENTS')];

/** What was delivered free of charge, and the cap that was filled. */
export const FREE_COLUMNS: readonly Column<Fields>[] = [
  ...LINE_COLUMNS,
  amountColumn('SKIPPED', 'skippedCents', 'SKIPPED_CENTS'),
  {
    title: 'FILLED',
    text: ({ filled }) => filledCap(filled) ?? '',
    whole: ({ filled }) => capOf(filled).join(' '),
    givesWay: 3,
  },
];

function amountColumn(title: string, field: string, inCents: string): Column<Fields> {
  return {
    title,
    text: (row) => cents(row[field]) ?? '',
    csv: { title: inCents, cell: (row) => textIn(row[field]) ?? '' },
    align: 'right',
  };
}

/** An invoice or, with FREE_COLUMNS, what was free: a row for each line; on a terminal with what it adds up to. */
export async function invoiceTable(
  invoice: unknown,
  columns: readonly Column<Fields>[],
  view: View,
  shape: ListShape<Fields> = {},
): Promise<string> {
  const fields = fieldsIn(invoice);
  const isFree = columns === FREE_COLUMNS;
  const lines = listIn(fields.items).flatMap(({ jobId, title, lines }) =>
    listIn(lines).map((line): Fields => ({ ...line, jobId, title })),
  );
  const none = `Nothing was ${isFree ? 'delivered free of charge' : 'charged'} in ${periodOf(fields)}.`;
  const rows = await table(columns, lines, view, none, shape);
  const hasSum = view.isTerminal && !shape.isCsv && lines.length > 0;
  return hasSum ? `${rows}\n${paragraph(isFree ? freeSum(fields) : chargedSum(fields, view), view)}` : rows;
}

/** `2026-03: $300.00 for 20 applicants`. */
function chargedSum(invoice: Fields, view: View): string {
  const total = view.paint('bold', cents(invoice.totalChargedCents) ?? '');
  return `${periodOf(invoice)}: ${total} for ${applicants(invoice, 'charges')}`;
}

/** `2026-03: 3 applicants delivered free of charge, $45.00 that is never charged`. */
function freeSum(report: Fields): string {
  const amount = cents(report.totalSkippedCents) ?? '';
  return `${periodOf(report)}: ${applicants(report, 'skipped')} delivered free of charge, ${amount} that is never charged`;
}

function periodOf({ month }: Fields): string {
  return textIn(month) ?? 'all time';
}

function applicants({ items }: Fields, field: 'charges' | 'skipped'): string {
  const count = listIn(items).reduce((sum, item) => sum + (numberIn(item[field]) ?? 0), 0);
  return counted(count, 'applicant');
}

function capOf(filled: unknown): string[] {
  const { target, window } = fieldsIn(filled);
  return [target, window].flatMap((part) => textIn(part) ?? []);
}
