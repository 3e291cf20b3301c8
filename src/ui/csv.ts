import { csvLines } from '../contract/csv.ts';
import { clean } from './clean.ts';
import { type Column, nameOf } from './column.ts';

/** A list as comma-separated values (RFC 4180): a header, then a line a row, every cell whole. */
export function csvText<Row>(columns: readonly Column<Row>[], rows: readonly Row[], now: number): string {
  const header = columns.map((column) => column.csv?.title ?? nameOf(column));
  return csvLines([header, ...rows.map((row) => columns.map((column) => cellOf(column, row, now)))]);
}

function cellOf<Row>({ csv, whole, text }: Column<Row>, row: Row, now: number): string {
  return clean((csv?.cell ?? whole ?? text)(row, now));
}
