import { clipText } from '../../../contract/problems.ts';
import { words } from '../../../text/words.ts';
import { contentFault, type Fault } from '../../check/finding.ts';
import { TABLE_WORDS } from '../../vocabulary/vocabulary.ts';
import type { Mapping, TableParts, TableRow } from '../listing.ts';
import { COLUMNS, findColumn, type HeaderRow } from './columns.ts';

const HEADER_ROWS_MAX = 30;

/** Finds the column names below titles. Undefined if all rows are empty. */
export function findHeader(rows: readonly TableRow[], mapping: Mapping = {}): TableParts | undefined {
  const filled = rows.filter(({ cells }) => countFilled(cells) > 0);
  const first = filled.slice(0, HEADER_ROWS_MAX);
  const countKnown = ({ cells }: TableRow) => cells.filter((cell) => findColumn(cell.trim(), mapping)).length;
  const widest = Math.max(0, ...first.map(({ cells }) => countFilled(cells)));
  const tests: readonly ((row: TableRow) => boolean)[] = [
    (row) => row.row === mapping.headerRow,
    (row) => countKnown(row) > 1 && countKnown(row) * 2 >= countFilled(row.cells),
    (row) => countKnown(row) > 1,
    ({ cells }) => countFilled(cells) * 2 > widest,
  ];
  const at = tests.map((test) => first.findIndex(test)).find((index) => index >= 0) ?? 0;
  const header = filled[at];
  return header && { header, listings: filled.slice(at + 1) };
}

function countFilled(cells: readonly string[]): number {
  return cells.filter((cell) => cell.trim() !== '').length;
}

const COLUMNS_OF_LISTINGS = 3;

/** Returns why a row isn't a listing: a total, a repeated header, a heading or a note. */
export function createRowFilter({ header, listings }: TableParts, { columns }: HeaderRow) {
  const counts = listings.map(({ cells }) => countFilled(cells)).sort((one, other) => one - other);
  const typical = Math.min(columns.length, counts[counts.length >> 1] ?? 0);
  const isTemplate = columns.every(({ name, header: given }) => given === COLUMNS[name].header);
  const title = columns.find(({ name }) => name === 'title')?.index ?? -1;
  const names = header.cells.map((cell) => cell.trim()).filter(Boolean);
  return ({ cells, locateCell }: TableRow): Fault | undefined => {
    const texts = cells.map((cell) => cell.trim()).filter(Boolean);
    const [first = ''] = texts;
    const isTitle = [first, ''].includes(cells[title]?.trim() ?? '');
    const isTotal = isTitle && TABLE_WORDS.totals.includes(words(first.replace(/\d+/g, '')));
    const isNote = !isTemplate && typical >= COLUMNS_OF_LISTINGS && texts.length === 1;
    const isHeader =
      names.length > 1 && texts.length === names.length && texts.every((text) => names.includes(text));
    const isMoved = isHeader && texts.join('\n') !== names.join('\n');
    const headers = isHeader && `it repeats the headers${isMoved ? ' in another order' : ''}`;
    const reason = isTotal ? 'it contains totals' : headers || (isNote && 'only one of its cells is filled');
    if (!reason) return undefined;
    const message = `the row "${clipText(first, 60)}" isn't read as a listing, because ${reason}`;
    const remove = isNote && !isTotal ? 'remove it, or fill in its other cells' : 'remove it';
    const hint = isMoved ? 'move it and the rows below it to a separate file' : remove;
    const index = cells.findIndex((cell) => cell.trim() !== '');
    return { ...contentFault(message, hint), ...locateCell(index), level: isMoved ? 'error' : 'warning' };
  };
}
