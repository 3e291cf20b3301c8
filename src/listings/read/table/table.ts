import { contentFault } from '../../check/finding.ts';
import type { DocumentReading } from '../listing.ts';
import { headerRow, type TableRow } from './columns.ts';
import { RowListing } from './row.ts';

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
    const document = new RowListing(row, header, decimalSign);
    if (count++ === 0) document.flaws.push(...header.flaws);
    yield { ok: true, document };
  }
  if (header === undefined || count > 0) return;
  const fault = contentFault(
    'the table has its headers and no listing below them',
    'write a listing into each row',
  );
  yield { ok: false, fault };
}
