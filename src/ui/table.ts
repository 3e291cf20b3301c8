import { clean } from './clean.ts';
import type { Column } from './column.ts';
import { csvText } from './csv.ts';
import { type ListShape, shaped } from './list-shape.ts';
import type { View } from './view.ts';
import { shorten, widthOf } from './width.ts';

const GAP = 2;

/**
 * A list: on a terminal a table that fits it, elsewhere tab-separated lines without a header, whole; both in
 * the shape that was asked for, or as comma-separated values. `none` is what people read where there are no
 * rows; programs get nothing.
 */
export async function table<Row>(
  ofList: readonly Column<Row>[],
  listed: readonly Row[],
  view: View,
  none: string,
  shape: ListShape<Row> = {},
): Promise<string> {
  const { columns, rows } = shaped(ofList, listed, shape);
  if (shape.isCsv) return csvText(columns, rows, view.now);
  if (!view.isTerminal) return rows.map((row) => tabSeparated(columns, row, view.now)).join('');
  if (rows.length === 0) return `${view.paint('dim', none)}\n`;
  const cells = rows.map((row) => columns.map((column) => cellOf(column, row, view.now)));
  const natural = columns.map(({ title }, index) =>
    cells.reduce((width, row) => Math.max(width, widthOf(row[index] ?? '')), widthOf(title)),
  );
  const fitted = fitInto(columns, natural, shape.isWhole ? Number.POSITIVE_INFINITY : view.columns);
  const lines = [
    fitted.map(({ column, width }) => view.paint('dim', shorten(column.title, width))),
    ...rows.map((row, at) =>
      fitted.map(({ column, index, width }) =>
        view.paint(column.style?.(row), shorten(cells[at]?.[index] ?? '', width)),
      ),
    ),
  ];
  return laidOut(lines, fitted);
}

function cellOf<Row>({ short, text }: Column<Row>, row: Row, now: number): string {
  return clean((short ?? text)(row, now)).trimEnd();
}

function tabSeparated<Row>(columns: readonly Column<Row>[], row: Row, now: number): string {
  return `${columns.map(({ text, whole = text }) => clean(whole(row, now))).join('\t')}\n`;
}

interface Fitted<Row> {
  readonly column: Column<Row>;
  /** Where it stands among the columns of the list. */
  readonly index: number;
  width: number;
}

/** The columns that a terminal has room for, and how wide each may be: the widest are shortened first. */
function fitInto<Row>(
  columns: readonly Column<Row>[],
  natural: readonly number[],
  available: number,
): Fitted<Row>[] {
  const all = columns.map((column, index) => ({
    column,
    index,
    width: Math.min(natural[index] ?? 0, available),
  }));
  const fitted = withRoom(all, available);
  for (let excess = total(fitted.map(({ width }) => width)) - available; excess > 0; excess--) {
    const [widest] = fitted
      .filter((entry) => entry.width > narrowest(entry))
      .sort((a, b) => b.width - a.width);
    if (widest === undefined) break;
    widest.width -= 1;
  }
  return fitted;
}

/** Without the columns that give way until the others, as narrow as they may be, have room. */
function withRoom<Row>(fitted: Fitted<Row>[], available: number): Fitted<Row>[] {
  if (total(fitted.map(narrowest)) <= available) return fitted;
  const first = Math.max(...fitted.map(({ column }) => column.givesWay ?? 0));
  if (first === 0) return fitted;
  return withRoom(
    fitted.filter(({ column }) => column.givesWay !== first),
    available,
  );
}

function narrowest<Row>({ column, width }: Fitted<Row>): number {
  return Math.min(width, column.shrinksTo ?? width);
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP * Math.max(0, widths.length - 1);
}

/**
 * cli-table3 lays the table out, on stand-ins of the right width: its own measure takes a newer emoji or an
 * Indic vowel sign for what it is not, and the columns after it would be out of line.
 */
async function laidOut<Row>(lines: readonly string[][], fitted: readonly Fitted<Row>[]): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const options = {
    chars: NO_LINES,
    style: { 'padding-left': 0, 'padding-right': GAP, head: [], border: [], compact: true },
    colAligns: fitted.map(({ column }) => column.align ?? 'left'),
    colWidths: fitted.map(({ width }) => width + GAP),
  };
  let text = '';
  for (let first = 0; first < lines.length; first += LINES_AT_ONCE) {
    const some = lines.slice(first, first + LINES_AT_ONCE);
    const layout = new Table(options);
    for (const line of some) layout.push(line.map((cell) => STAND_IN.repeat(widthOf(cell))));
    const cells = some.flat().filter((cell) => widthOf(cell) > 0);
    const rendered = layout.toString().replace(/ +$/gm, '');
    text += `${rendered.replace(/x+/g, () => cells.shift() ?? '')}\n`;
  }
  return text;
}

/** cli-table3 takes four times as long for twice as many lines. */
const LINES_AT_ONCE = 100;

const STAND_IN = 'x';

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
} as const;
