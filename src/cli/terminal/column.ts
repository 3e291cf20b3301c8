import type { Style } from './view.ts';

export interface Column<Row> {
  readonly title: string;
  /** What the column is called where it is asked for, where that is not its title. */
  readonly name?: string;
  /** The cell for people; `now` in milliseconds since 1970. */
  readonly text: (row: Row, now: number) => string;
  /** The same cell in fewer words, for a table that has to fit its terminal. */
  readonly short?: ((row: Row) => string) | undefined;
  /** The cell for programs, where it is another: an ISO 8601 time instead of "in 27 days". */
  readonly whole?: (row: Row) => string;
  /** What the column is sorted by, where that is a number: cents, a time in milliseconds since 1970. */
  readonly value?: (row: Row) => number | undefined;
  /** For spreadsheets: a bare number, with its unit in the title. */
  readonly csv?: { readonly title: string; readonly cell: (row: Row) => string };
  readonly style?: (row: Row) => Style | undefined;
  readonly align?: 'right';
  /** On a narrow terminal the cells may be shortened to this many columns. */
  readonly shrinksTo?: number | undefined;
  /** Where even that is not enough, the column is left out: the one with the highest number first. */
  readonly givesWay?: number | undefined;
}

export function nameOf<Row>({ name, title }: Column<Row>): string {
  return name ?? title;
}

/** How somebody wants to see a list, named like its flags; what is left out is as the list has it. */
export interface ListShape<Row> {
  /** Only these columns, in this order. They never give way on a narrow terminal: they were asked for. */
  readonly columns?: readonly Column<Row>[] | undefined;
  readonly sort?: { readonly by: Column<Row>; readonly isDescending: boolean } | undefined;
  /** One line a row with every cell whole, however wide the terminal is. */
  readonly 'no-truncate'?: boolean | undefined;
  /** Comma-separated values, also on a terminal. */
  readonly csv?: boolean | undefined;
}

const NARROWEST_COLUMNS = 8;

export function shapedColumns<Row>(columns: readonly Column<Row>[], shape: ListShape<Row>) {
  const chosen = shape.columns?.map((column) => {
    const { shrinksTo } = column;
    const narrowest = shrinksTo === undefined ? undefined : Math.min(shrinksTo, NARROWEST_COLUMNS);
    return { ...column, shrinksTo: narrowest, givesWay: undefined };
  });
  const shown = chosen ?? columns;
  if (!shape['no-truncate']) return shown;
  return shown.map((column) => ({ ...column, short: undefined, shrinksTo: undefined, givesWay: undefined }));
}

/**
 * The items of a list sorted by value: numbers as numbers, times as times, text independent of the machine's locale,
 * upper case as lower. Equal ones keep their order; empty ones come last in either direction.
 */
export function sorted<Item>(items: readonly Item[], { sort }: ListShape<Item>): readonly Item[] {
  if (sort === undefined) return items;
  const keyed = items.map((item) => ({ item, key: sortKey(sort.by, item) }));
  return keyed.sort(byKey(sort.isDescending)).map(({ item }) => item);
}

/** What is kept of each row, in the same order as `sorted`; only sorting holds what is kept of all of them. */
export async function* inOrder<Row, Kept>(
  rows: Iterable<Row> | AsyncIterable<Row>,
  { sort }: ListShape<Row>,
  keep: (row: Row) => Kept,
): AsyncGenerator<Kept> {
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
    // Text among numbers, as of a server that spells them otherwise, comes last.
    return sign * (typeof a === 'number' ? -1 : 1);
  };
}

function sortKey<Row>({ value, whole, text }: Column<Row>, row: Row): SortKey {
  return value?.(row) ?? (whole ?? text)(row, 0).trim();
}
