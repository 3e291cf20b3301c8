import { csvLines } from '../../contract/csv.ts';
import { type Column, inOrder, type ListShape, nameOf, shapedColumns } from './column.ts';
import { clean, type View } from './view.ts';
import { shorten, widthOf } from './width.ts';

const GAP = 2;

/** cli-table3 takes four times as long for twice as many lines. */
const LINES_AT_ONCE = 100;

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
  pageRows = LINES_AT_ONCE,
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
    yield await laidOut(layout === shown ? lines : [header, ...lines], fitted);
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

function cellOf<Row>({ short, text, style }: Column<Row>, row: Row, now: number) {
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

/** cli-table3 lays out stand-ins of the right width, as it measures newer emoji and Indic vowel signs wrongly. */
async function laidOut<Row>(lines: readonly string[][], fitted: readonly Fitted<Row>[]): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const options = {
    chars: Object.fromEntries(BORDERS.map((border) => [border, ''])),
    style: { 'padding-left': 0, 'padding-right': GAP, head: [], border: [], compact: true },
    colAligns: fitted.map(({ column }) => column.align ?? 'left'),
    colWidths: fitted.map(({ width }) => width + GAP),
  };
  let text = '';
  for (let first = 0; first < lines.length; first += LINES_AT_ONCE) {
    const some = lines.slice(first, first + LINES_AT_ONCE);
    const layout = new Table(options);
    layout.push(...some.map((line) => line.map((cell) => 'x'.repeat(widthOf(cell)))));
    const cells = some.flat().filter((cell) => widthOf(cell) > 0);
    const rendered = layout.toString().replace(/(?<! ) +$/gm, '');
    text += `${rendered.replace(/x+/g, () => cells.shift() ?? '')}\n`;
  }
  return text;
}

const BORDERS = ['top', 'bottom', 'left', 'mid', 'right', 'middle'].flatMap((side) =>
  ['', '-mid', '-left', '-right'].map((corner) => side + corner),
);
