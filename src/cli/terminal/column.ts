import type { Style } from './view.ts';

/** One column of a list. */
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

/** What a column is called where it is asked for. */
export function nameOf<Row>({ name, title }: Column<Row>): string {
  return name ?? title;
}
