import * as Flags from '@oclif/core/flags';
import { type Column, type ListShape, nameOf } from '../terminal/column.ts';
import { oneOf } from './flag-values.ts';

export function listFlags<Row>(columns: readonly Column<Row>[]) {
  const helpValue = namesOf(columns).join('|');
  return {
    columns: Flags.string({ helpValue, description: 'Only these columns, separated by commas' }),
    sort: Flags.string({
      helpValue,
      description: 'Sort by this column, empty cells last; COLUMN:desc reverses it',
    }),
    'no-truncate': Flags.boolean({ description: 'Show every cell in full, however narrow the terminal is' }),
    csv: Flags.boolean({
      exclusive: ['json'],
      description: 'Print comma-separated values with a header, every cell in full',
    }),
  };
}

interface GivenFlags {
  readonly columns?: string | undefined;
  readonly sort?: string | undefined;
  readonly 'no-truncate'?: boolean | undefined;
  readonly csv?: boolean | undefined;
}

/** The shape that the flags ask for. Throws USAGE for an unknown column. */
export function listShape<Row>(flags: GivenFlags, columns: readonly Column<Row>[]): ListShape<Row> {
  return {
    columns: flags.columns === undefined ? undefined : chosen(flags.columns, columns),
    sort: flags.sort === undefined ? undefined : order(flags.sort, columns),
    isWhole: flags['no-truncate'],
    isCsv: flags.csv,
  };
}

function chosen<Row>(given: string, columns: readonly Column<Row>[]): Column<Row>[] {
  return given.split(',').map((name) => columnCalled('--columns', name.trim(), columns));
}

function order<Row>(given: string, columns: readonly Column<Row>[]) {
  const [name = '', direction = 'asc'] = given.split(':');
  const isDescending = oneOf('the direction of --sort', direction, ['asc', 'desc']) === 'desc';
  return { by: columnCalled('--sort', name, columns), isDescending };
}

function columnCalled<Row>(flag: string, given: string, columns: readonly Column<Row>[]): Column<Row> {
  const names = namesOf(columns);
  const name = oneOf(flag, given, names);
  const [column] = columns.filter((_, index) => names[index] === name);
  return column as Column<Row>;
}

/** As they are typed in a shell: `BASE-URL`. */
function namesOf<Row>(columns: readonly Column<Row>[]): string[] {
  return columns.map((column) => nameOf(column).replaceAll(' ', '-'));
}
