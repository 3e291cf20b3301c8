import { contentFault, type Fault, type SourcePosition } from '../../check/finding.ts';
import type { DocumentReading } from '../listing.ts';
import type { TableRow } from './columns.ts';
import { listingsOf } from './table.ts';
import { openWorkbook, REFUSED } from './workbook.ts';

/** A sheet of a workbook, its first one unless another is named. */
export async function* readXlsx(
  bytes: Uint8Array,
  { sheet }: { readonly sheet?: string | undefined },
): AsyncGenerator<DocumentReading> {
  const opened = await openWorkbook(bytes);
  const read = 'fault' in opened ? opened : await rowsOf(opened.archive, sheet);
  if ('fault' in read) yield { ok: false, fault: read.fault };
  else yield* listingsOf(read.rows.map(sheetRow), '.');
}

async function rowsOf(
  archive: ArrayBuffer,
  sheet: string | undefined,
): Promise<{ readonly rows: readonly SheetCell[][] } | { readonly fault: Fault }> {
  const { readSheet } = await import('read-excel-file/universal');
  try {
    // Its types name the constructors of what it gives.
    const rows = (await readSheet(archive, sheet ?? 1, { trim: false })) as unknown as SheetCell[][];
    const first = String(rows[0]?.[0]);
    if (!first.startsWith(REFUSED)) return { rows };
    const hint = 'keep a row of cells of its own for each listing, and no other rows and columns';
    return { fault: contentFault(first.slice(REFUSED.length), hint) };
  } catch (error) {
    const { sheets } = error as { readonly sheets?: readonly string[] };
    if (sheets === undefined || sheet === undefined) {
      const hint = 'open it in your spreadsheet, and save it again';
      return { fault: contentFault('the workbook is damaged', hint) };
    }
    const names = new Intl.ListFormat('en-GB').format(sheets.slice(0, 20).map((name) => `"${name}"`));
    return { fault: contentFault(`the workbook has no sheet "${sheet}"`, `it has ${names}`) };
  }
}

type SheetCell = string | number | boolean | Date | null;

function sheetRow(cells: readonly SheetCell[], index: number): TableRow {
  const positionOf = (column: number): SourcePosition => ({
    line: index + 1,
    column: column + 1,
    cell: `${columnLetters(column)}${index + 1}`,
  });
  return { cells: cells.map(cellText), positionOf };
}

function cellText(value: SheetCell): string {
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$/, '');
  // A spreadsheet shows 15 digits: 18.499999999999996 is 18.5 there.
  return typeof value === 'number' ? String(Number(value.toPrecision(15))) : String(value ?? '');
}

function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}
