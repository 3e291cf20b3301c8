import { clean } from './clean.ts';
import { type Column, nameOf } from './column.ts';

/**
 * A list as comma-separated values (RFC 4180): a header, then a line a row, every cell whole. What is read by a
 * spreadsheet is data too: text that it would run as a formula begins with a `'` here.
 */
export function csvText<Row>(columns: readonly Column<Row>[], rows: readonly Row[], now: number): string {
  const header = columns.map((column) => column.csv?.title ?? nameOf(column));
  const lines = rows.map((row) => columns.map((column) => cellOf(column, row, now)));
  return [header, ...lines].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

function cellOf<Row>({ csv, whole, text }: Column<Row>, row: Row, now: number): string {
  return harmless(clean((csv?.cell ?? whole ?? text)(row, now)));
}

/** How a formula begins, also in the full-width characters that some spreadsheets take for the same. */
const FORMULA = /^\s*[=+\-@＝＋－＠]/;
const NUMBER = /^[-+]?\d+(?:\.\d+)?$/;

function harmless(cell: string): string {
  return FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
}

function quoted(cell: string): string {
  return /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
