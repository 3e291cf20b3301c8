import { paragraph } from '../blocks.ts';
import type { Column } from '../column.ts';
import type { ListShape } from '../list-shape.ts';
import { table } from '../table.ts';
import type { View } from '../view.ts';
import { filledCap } from './budgets.ts';
import { type Fields, fieldsIn, listIn, numberIn, textIn } from './read.ts';
import { cents, counted } from './words.ts';

export const INVOICE_COLUMNS: readonly Column<Fields>[] = [
  { title: 'JOB', text: ({ jobId }) => textIn(jobId) ?? '' },
  { title: 'TITLE', text: ({ title }) => textIn(title) ?? '', shrinksTo: 12, givesWay: 2 },
  { ...amountColumn('BID', 'bidCents', 'BID_CENTS'), givesWay: 1 },
  {
    title: 'APPLICANTS',
    text: ({ applications }) => textIn(applications) ?? '',
    align: 'right',
  },
  amountColumn('CHARGED', 'chargedCents', 'CHARGED_CENTS'),
  amountColumn('SKIPPED', 'skippedCents', 'SKIPPED_CENTS'),
  {
    title: 'FILLED',
    text: ({ filled }) => filledCap(filled) ?? '',
    whole: ({ filled }) => capOf(filled).join(' '),
    givesWay: 3,
  },
];

function amountColumn(title: string, field: string, inCents: string): Column<Fields> {
  const isNone = (row: Fields): boolean => field !== 'bidCents' && row[field] === 0;
  return {
    title,
    text: (row) => (isNone(row) ? '' : (cents(row[field]) ?? '')),
    csv: { title: inCents, cell: (row) => textIn(row[field]) ?? '' },
    align: 'right',
  };
}

/** An invoice, a row for each line of it; on a terminal with what it adds up to. */
export async function invoiceTable(
  invoice: unknown,
  view: View,
  shape: ListShape<Fields> = {},
): Promise<string> {
  const fields = fieldsIn(invoice);
  const period = textIn(fields.month) ?? 'all time';
  const lines = listIn(fields.items).flatMap(({ jobId, title, lines }) =>
    listIn(lines).map((line): Fields => ({ ...line, jobId, title })),
  );
  const rows = await table(
    INVOICE_COLUMNS,
    lines,
    view,
    `Nothing was charged or skipped in ${period}.`,
    shape,
  );
  const hasSums = view.isTerminal && !shape.isCsv && lines.length > 0;
  return hasSums ? `${rows}\n${paragraph(sums(fields, period, view), view)}` : rows;
}

/** `2026-03: $300.00 for 20 applicants · 3 delivered free of charge ($45.00)`. */
function sums({ items, totalChargedCents, totalSkippedCents }: Fields, period: string, view: View): string {
  const ofAll = (field: 'charges' | 'skipped'): number =>
    listIn(items).reduce((sum, item) => sum + (numberIn(item[field]) ?? 0), 0);
  const total = view.paint('bold', cents(totalChargedCents) ?? '');
  const charged = `${period}: ${total} for ${counted(ofAll('charges'), 'applicant')}`;
  const skipped = ofAll('skipped');
  if (skipped === 0) return charged;
  return `${charged} · ${skipped} delivered free of charge (${cents(totalSkippedCents) ?? ''} skipped)`;
}

function capOf(filled: unknown): string[] {
  const { target, window } = fieldsIn(filled);
  return [target, window].flatMap((part) => textIn(part) ?? []);
}
