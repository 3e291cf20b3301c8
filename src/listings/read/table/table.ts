import { contentFault } from '../../check/finding.ts';
import type { DocumentReading } from '../listing.ts';
import { headerRow, type TableRow } from './columns.ts';
import { listingOfRow } from './row.ts';

/** A listing in memory is larger than its row, and a set of more is better kept as lines. */
export const ROWS_MAX = 100_000;

/** The listings of a table whose first row that is not empty names the columns; empty rows are passed over. */
export function* listingsOf(rows: Iterable<TableRow>, decimalSign: '.' | ','): Generator<DocumentReading> {
  let header: ReturnType<typeof headerRow> | undefined;
  let count = 0;
  for (const row of rows) {
    if (row.cells.every((cell) => cell.trim() === '')) continue;
    if (header === undefined) {
      header = headerRow(row);
      if ('fault' in header) return yield { ok: false, fault: header.fault };
      continue;
    }
    if ('fault' in header) return;
    const document = listingOfRow(row, header, decimalSign);
    // What is wrong with a header is said once, with the first listing.
    const flaws = count++ === 0 ? [...header.flaws, ...document.flaws] : document.flaws;
    yield { ok: true, document: { ...document, flaws } };
  }
  if (header === undefined || count > 0) return;
  const message = 'the table has its headers and no listing below them';
  yield { ok: false, fault: contentFault(message, 'write a listing into each row') };
}
