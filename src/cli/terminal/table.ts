import { csvLines } from '../../text/csv.ts';
import { clean, type Paint, type Style, type View } from './view.ts';
import { getWidth, shorten } from './width.ts';

export interface Column<Row> {
  readonly title: string;
  readonly name?: string;
  readonly text: (row: Row, now: number) => string;
  readonly short?: ((row: Row) => string) | undefined;
  /** Cell for programs, such as an ISO 8601 time instead of "in 27 days". */
  readonly whole?: (row: Row) => string;
  /** Number to sort by, such as cents or epoch ms. */
  readonly value?: (row: Row) => number | undefined;
  /** Columns of `--csv`, if they differ. */
  readonly csv?: readonly Column<Row>[];
  readonly style?: (row: Row) => Style | undefined;
  readonly align?: 'right';
  readonly shrinksTo?: number | undefined;
  /** If shrinking isn't enough, columns are dropped, starting with the highest number. */
  readonly givesWay?: number | undefined;
}

export function getColumnName<Row>({ name, title }: Column<Row>): string {
  return name ?? title;
}

export type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

export interface ListShape<Row> {
  readonly columns?: readonly Column<Row>[] | undefined;
  readonly sort?: { readonly by: Column<Row>; readonly isDescending: boolean } | undefined;
  readonly 'no-truncate'?: boolean | undefined;
  readonly csv?: boolean | undefined;
}

const NARROWEST_COLUMNS = 8;

function shapeColumns<Row>(columns: readonly Column<Row>[], shape: ListShape<Row>) {
  const chosen = shape.columns?.map((column) => {
    const { shrinksTo } = column;
    const narrowest = shrinksTo === undefined ? undefined : Math.min(shrinksTo, NARROWEST_COLUMNS);
    return { ...column, shrinksTo: narrowest, givesWay: undefined };
  });
  const shown = chosen ?? columns;
  if (!shape['no-truncate']) return shown;
  return shown.map((column) => ({ ...column, short: undefined, shrinksTo: undefined, givesWay: undefined }));
}

/** Sorts text by English rules. Equal items keep their order, and empty ones come last in both directions. */
export function sortItems<Item>(items: readonly Item[], { sort }: ListShape<Item>): readonly Item[] {
  if (sort === undefined) return items;
  const keyed = items.map((item) => ({ item, key: sortKey(sort.by, item) }));
  return keyed.sort(byKey(sort.isDescending)).map(({ item }) => item);
}

/** Yields `keep(row)` in the order of `sortItems`. Keeps all rows in memory only if it has to sort. */
export async function* inOrder<Row, Kept>(rows: Rows<Row>, shape: ListShape<Row>, keep: (row: Row) => Kept) {
  const { sort } = shape;
  const keyed: { item: Kept; key: SortKey }[] = [];
  for await (const row of rows) {
    if (sort === undefined) yield keep(row);
    else keyed.push({ item: keep(row), key: sortKey(sort.by, row) });
  }
  if (sort !== undefined) for (const { item } of keyed.sort(byKey(sort.isDescending))) yield item;
}

type SortKey = number | string;

function byKey(isDescending: boolean): (one: { key: SortKey }, other: { key: SortKey }) => number {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const sign = isDescending ? -1 : 1;
  return ({ key: a }, { key: b }) => {
    if (a === '' || b === '') return Number(a === '') - Number(b === '');
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
    if (typeof a === 'string' && typeof b === 'string') return sign * compare(a, b);
    return sign * (typeof a === 'number' ? -1 : 1);
  };
}

function sortKey<Row>({ value, whole, text }: Column<Row>, row: Row): SortKey {
  return value?.(row) ?? (whole ?? text)(row, 0).trim();
}

const GAP = 2;

const PAGE_ROWS = 100;

/** Formats a table (or `none` if it's empty) on a terminal, otherwise tab-separated lines or CSV. */
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

/** Formats a list page by page in a terminal. Columns never become narrower, and a wider one repeats the header. */
export async function* tableParts<Row>(
  ofList: readonly Column<Row>[],
  rows: Rows<Row>,
  { isTerminal, columns: available, paint, now }: View,
  none: string,
  shape: ListShape<Row> = {},
  pageRows = PAGE_ROWS,
): AsyncGenerator<string> {
  const columns = shapeColumns(ofList, shape);
  if (shape.csv || !isTerminal) {
    const line = shape.csv ? csvLine : tabSeparated;
    if (shape.csv) yield csvLines([columns.flatMap((column) => column.csv ?? column).map(getColumnName)]);
    yield* inOrder(rows, shape, (row) => line(columns, row, now));
    return;
  }
  const widest = shape['no-truncate'] ? Number.POSITIVE_INFINITY : available;
  const heading = columns.map(({ title }): Cell => ({ text: title, style: 'dim' }));
  let natural = heading.map(({ text }) => getWidth(text));
  let shown = '';
  const listed = inOrder(rows, shape, (row) =>
    columns.map(({ short, text, style }): Cell => {
      return { text: clean((short ?? text)(row, now)).trimEnd(), style: style?.(row) };
    }),
  );
  for await (const page of inPages(listed, pageRows)) {
    natural = natural.map((width, at) =>
      page.reduce((most, row) => Math.max(most, getWidth(row[at]?.text ?? '')), width),
    );
    const fitted = fitColumns(columns, natural, widest);
    const layout = fitted.map(({ index, width }) => `${index}:${width}`).join();
    const lines = layout === shown ? page : [heading, ...page];
    yield await renderLines(lines, fitted, paint);
    shown = layout;
  }
  if (shown === '') yield `${paint('dim', none)}\n`;
}

export async function* inPages<Row>(rows: Rows<Row>, pageRows: number) {
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

function tabSeparated<Row>(columns: readonly Column<Row>[], row: Row, now: number): string {
  return `${columns.map(({ text, whole = text }) => clean(whole(row, now))).join('\t')}\n`;
}

export function csvLine<Row>(columns: readonly Column<Row>[], row: Row, now: number): string {
  const shown = columns.flatMap((column) => column.csv ?? column);
  return csvLines([shown.map(({ text, whole = text }) => clean(whole(row, now)))]);
}

function fitColumns<Row>(columns: readonly Column<Row>[], natural: readonly number[], available: number) {
  let fitted = columns.map((column, index) => {
    const width = Math.min(natural[index] ?? 0, available);
    return { column, index, width, narrowest: Math.min(width, column.shrinksTo ?? width) };
  });
  const excess = (of: 'width' | 'narrowest') =>
    fitted.reduce((sum, entry) => sum + entry[of] + GAP, -GAP) - available;
  while (excess('narrowest') > 0) {
    const first = Math.max(...fitted.map(({ column }) => column.givesWay ?? 0));
    if (first === 0) break;
    fitted = fitted.filter(({ column }) => column.givesWay !== first);
  }
  while (excess('width') > 0) {
    const [widest] = fitted
      .filter(({ width, narrowest }) => width > narrowest)
      .sort((a, b) => b.width - a.width);
    if (widest === undefined) break;
    widest.width -= 1;
  }
  return fitted;
}

/** Pads cells here, because cli-table3 measures newer emoji and Indic vowels incorrectly. */
async function renderLines<Row>(
  lines: readonly (readonly Cell[])[],
  fitted: ReturnType<typeof fitColumns<Row>>,
  paint: Paint,
): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const rendered = lines.map((cells) => {
    const line = new Table({ chars: NO_BORDERS, style: { 'padding-left': 0, 'padding-right': GAP } });
    const padded = fitted.map(({ column, index, width }) => {
      const { text = '', style } = cells[index] ?? {};
      const short = shorten(text, width);
      const room = ' '.repeat(Math.max(0, width - getWidth(short)));
      return column.align === 'right' ? room + paint(style, short) : paint(style, short) + room;
    });
    line.push(padded);
    return `${line.toString().trimEnd()}\n`;
  });
  return rendered.join('');
}

const SIDES = ['top', 'bottom', 'left', 'mid', 'right', 'middle'];
const NO_BORDERS = Object.fromEntries(
  SIDES.flatMap((side) => ['', '-mid', '-left', '-right'].map((corner) => [side + corner, ''])),
);
