import { describeFilledCap } from '../../cli/caps.ts';
import { type Column, type ListShape, table } from '../../cli/terminal/table.ts';
import { paragraph, type View } from '../../cli/terminal/view.ts';
import { amountColumn } from '../../cli/terminal/words.ts';
import { formatCents, formatCount } from '../../contract/words.ts';
import type { Invoice, InvoiceItem } from '../../engine/companies/invoice.ts';

type InvoiceRow = InvoiceItem['lines'][number] & Pick<InvoiceItem, 'jobId' | 'title'>;

const LINE_COLUMNS: readonly Column<InvoiceRow>[] = [
  { title: 'JOB', text: ({ jobId }) => String(jobId) },
  { title: 'TITLE', text: ({ title }) => title, shrinksTo: 12, givesWay: 2 },
  { ...amountColumn('BID', ({ bidCents }) => bidCents), givesWay: 1 },
  { title: 'APPLICANTS', text: ({ applications }) => String(applications), align: 'right' },
];

/** An invoice lists only charged applicants (section 8, rule 5b). */
export const INVOICE_COLUMNS: readonly Column<InvoiceRow>[] = [
  ...LINE_COLUMNS,
  amountColumn('CHARGED', ({ chargedCents }) => chargedCents),
];

export const FREE_COLUMNS: readonly Column<InvoiceRow>[] = [
  ...LINE_COLUMNS,
  amountColumn('SKIPPED', ({ skippedCents }) => skippedCents),
  {
    title: 'FILLED',
    text: ({ filled }) => (filled === null ? '' : describeFilledCap(filled)),
    whole: ({ filled }) => (filled === null ? '' : `${filled.target} ${filled.window}`),
    givesWay: 3,
  },
];

/** With FREE_COLUMNS, lists free applicants instead of charges. On a terminal, totals follow the rows. */
export async function invoiceTable(
  invoice: Invoice,
  columns: readonly Column<InvoiceRow>[],
  view: View,
  shape: ListShape<InvoiceRow> = {},
): Promise<string> {
  const isFree = columns === FREE_COLUMNS;
  const period = invoice.month ?? 'all time';
  const lines = invoice.items.flatMap(({ jobId, title, lines }) =>
    lines.map((line) => ({ ...line, jobId, title })),
  );
  const none = `Nothing was ${isFree ? 'delivered free of charge' : 'charged'} ${invoice.month === null ? 'yet' : `in ${period}`}.`;
  const rows = await table(columns, lines, view, none, shape);
  if (!view.isTerminal || shape.csv || lines.length === 0) return rows;
  const { items, totalChargedCents, totalSkippedCents } = invoice;
  const count = items.reduce((sum, { charges, skipped }) => sum + (isFree ? skipped : charges), 0);
  const applicants = formatCount(count, 'applicant');
  const sum = isFree
    ? `${applicants} delivered free of charge, ${formatCents(totalSkippedCents)} never charged`
    : `${view.paint('bold', formatCents(totalChargedCents))} for ${applicants}`;
  return `${rows}\n${paragraph(`${period}: ${sum}`, view)}`;
}
