import { csvLines } from '../../contract/csv.ts';
import { type Column, inOrder, type ListShape, nameOf, shapedColumns } from './column.ts';
import { clean, type Style, type View } from './view.ts';
import { shorten, widthOf } from './width.ts';

const GAP = 2;

/** A table of more rows is laid out in pages. */
const PAGE_ROWS = 100;

/**
 * A list: on a terminal a table that fits it, elsewhere tab-separated lines without a header, whole; both in the shape
 * that was asked for, or as comma-separated values. `none` is what a terminal shows where there are no rows.
 */
export async function table<Row>(
  ofList: readonly Column<Row>[],
  rows: readonly Row[],
  view: View,
  none: string,
  shape: ListShape<Row> = {},
): Promise<string> {
  let text = '';
  for await (const part of tableParts(ofList, rows, view, none, shape, rows.length)) text += part;
  return text;
}

/**
 * The same list in parts, for rows that are still to come. On a terminal it is laid out a page of rows at a time: a
 * column never becomes narrower, and the header is repeated where one becomes wider.
 */
export async function* tableParts<Row>(
  ofList: readonly Column<Row>[],
  rows: Iterable<Row> | AsyncIterable<Row>,
  { isTerminal, columns: available, paint, now }: View,
  none: string,
  shape: ListShape<Row> = {},
  pageRows = PAGE_ROWS,
): AsyncGenerator<string> {
  const columns = shapedColumns(ofList, shape);
  if (shape.csv || !isTerminal) {
    const line = shape.csv ? csvLine : tabSeparated;
    if (shape.csv) yield csvLines([columns.map((column) => column.csv?.title ?? nameOf(column))]);
    yield* inOrder(rows, shape, (row) => line(columns, row, now));
    return;
  }
  const widest = shape['no-truncate'] ? Number.POSITIVE_INFINITY : available;
  let natural = columns.map(({ title }) => widthOf(title));
  let shown = '';
  const listed = inOrder(rows, shape, (row) => columns.map((column) => cellOf(column, row, now)));
  for await (const page of inPages(listed, pageRows)) {
    natural = natural.map((width, at) =>
      page.reduce((most, row) => Math.max(most, widthOf(row[at]?.text ?? '', widest)), width),
    );
    const fitted = fitInto(columns, natural, widest);
    const layout = fitted.map(({ index, width }) => `${index}:${width}`).join();
    const header = fitted.map(({ column, width }) => paint('dim', shorten(column.title, width)));
    const lines = page.map((row) =>
      fitted.map(({ index, width }) => paint(row[index]?.style, shorten(row[index]?.text ?? '', width))),
    );
    yield laidOut(layout === shown ? lines : [header, ...lines], fitted);
    shown = layout;
  }
  if (shown === '') yield `${paint('dim', none)}\n`;
}

async function* inPages<Row>(rows: AsyncIterable<Row>, pageRows: number): AsyncGenerator<Row[]> {
  let page: Row[] = [];
  for await (const row of rows) {
    if (page.push(row) < pageRows) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

interface Cell {
  readonly text: string;
  readonly style: Style | undefined;
}

function cellOf<Row>({ short, text, style }: Column<Row>, row: Row, now: number): Cell {
  return { text: clean((short ?? text)(row, now)).trimEnd(), style: style?.(row) };
}

function tabSeparated<Row>(columns: readonly Column<Row>[], row: Row, now: number): string {
  return `${columns.map(({ text, whole = text }) => clean(whole(row, now))).join('\t')}\n`;
}

/** A row as comma-separated values (RFC 4180), every cell whole. */
export function csvLine<Row>(columns: readonly Column<Row>[], row: Row, now: number): string {
  return csvLines([columns.map(({ csv, whole, text }) => clean((csv?.cell ?? whole ?? text)(row, now)))]);
}

interface Fitted<Row> {
  readonly column: Column<Row>;
  readonly index: number;
  width: number;
}

/** The columns that a terminal has room for, and how wide each may be: the widest are shortened first. */
function fitInto<Row>(
  columns: readonly Column<Row>[],
  natural: readonly number[],
  available: number,
): Fitted<Row>[] {
  let fitted = columns.map((column, index) => ({
    column,
    index,
    width: Math.min(natural[index] ?? 0, available),
  }));
  while (total(fitted.map(narrowest)) > available) {
    const first = Math.max(...fitted.map(({ column }) => column.givesWay ?? 0));
    if (first === 0) break;
    fitted = fitted.filter(({ column }) => column.givesWay !== first);
  }
  for (let excess = total(fitted.map(({ width }) => width)) - available; excess > 0; excess--) {
    const [widest] = fitted
      .filter((entry) => entry.width > narrowest(entry))
      .sort((a, b) => b.width - a.width);
    if (widest === undefined) break;
    widest.width -= 1;
  }
  return fitted;
}

function narrowest<Row>({ column, width }: Fitted<Row>): number {
  return Math.min(width, column.shrinksTo ?? width);
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP * Math.max(0, widths.length - 1);
}

/** The cells of each line below each other. */
function laidOut<Row>(lines: readonly string[][], fitted: readonly Fitted<Row>[]): string {
  const padded = (cell: string, at: number): string => {
    const { column, width = 0 } = fitted[at] ?? {};
    const gap = ' '.repeat(Math.max(0, width - widthOf(cell)));
    return column?.align === 'right' ? gap + cell : cell + gap;
  };
  return lines.map((cells) => `${cells.map(padded).join(' '.repeat(GAP)).trimEnd()}\n`).join('');
}
