import { csvLines } from '../../contract/csv.ts';
import { clean } from './clean.ts';
import { type Column, nameOf } from './column.ts';

/** The first line of a list as comma-separated values (RFC 4180). */
export function csvHeader<Row>(columns: readonly Column<Row>[]): string {
  return csvLines([columns.map((column) => column.csv?.title ?? nameOf(column))]);
}

/** A row of such a list, every cell whole. */
export function csvLine<Row>(columns: readonly Column<Row>[], row: Row, now: number): string {
  return csvLines([columns.map(({ csv, whole, text }) => clean((csv?.cell ?? whole ?? text)(row, now)))]);
}
