import { contentFault, type Fault } from '../../check/finding.ts';
import type { DocumentReading } from '../listing.ts';
import { headerRow, type TableRow, TEMPLATE } from './columns.ts';
import { listingOfRow } from './row.ts';

/** A listing in memory is larger than its row, and a set of more is better kept as lines. */
export const ROWS_MAX = 100_000;

/** The listings of a table whose first row that is not empty names the columns; empty rows are passed over. */
export function* listingsOf(rows: readonly TableRow[], decimalSign: '.' | ','): Generator<DocumentReading> {
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const [first, ...listings] = filled;
  if (first === undefined) return yield { ok: false, fault: contentFault('the table is empty', TEMPLATE) };
  const header = headerRow(first);
  if ('fault' in header) return yield { ok: false, fault: withHeaderBelow(header.fault, listings) };
  for (const [index, row] of listings.entries()) {
    const document = listingOfRow(row, header, decimalSign);
    // What is wrong with a header is said once, with the first listing.
    const flaws = index === 0 ? [...header.flaws, ...document.flaws] : document.flaws;
    yield { ok: true, document: { ...document, flaws } };
  }
  if (listings.length > 0) return;
  const message = 'the table has its headers and no listing below them';
  yield { ok: false, fault: contentFault(message, 'write a listing into each row') };
}

/** People write a title above the headers. */
function withHeaderBelow(fault: Fault, rows: readonly TableRow[]): Fault {
  const header = rows.slice(0, 5).find((row) => {
    const read = headerRow(row);
    return 'columns' in read && read.columns.length > 1;
  });
  if (header === undefined) return fault;
  return { ...fault, hint: `row ${header.positionOf(0).line} names the columns: delete what is above it` };
}
