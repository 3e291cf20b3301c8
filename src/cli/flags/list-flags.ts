import * as Flags from '@oclif/core/flags';
import { type Column, nameOf } from '../terminal/column.ts';
import { oneOf } from './flag-values.ts';

/** What shapes a list. Throws USAGE for an unknown column. */
export function listFlags<Row>(columns: readonly Column<Row>[]) {
  const helpValue = namesOf(columns).join('|');
  return {
    columns: Flags.custom<Column<Row>[]>({
      parse: async (given) => given.split(',').map((name) => columnCalled('--columns', name.trim(), columns)),
    })({ helpValue, description: 'Only these columns, separated by commas' }),
    sort: Flags.custom<{ by: Column<Row>; isDescending: boolean }>({
      async parse(given) {
        const [name = '', direction = 'asc'] = given.split(':');
        const isDescending = oneOf('the direction of --sort', direction, ['asc', 'desc']) === 'desc';
        return { by: columnCalled('--sort', name, columns), isDescending };
      },
    })({ helpValue, description: 'Sort by this column, empty cells last; COLUMN:desc reverses it' }),
    'no-truncate': Flags.boolean({ description: 'Show every cell in full, however narrow the terminal is' }),
    csv: Flags.boolean({
      exclusive: ['json'],
      description: 'Print comma-separated values with a header, every cell in full',
    }),
  };
}

function columnCalled<Row>(flag: string, given: string, columns: readonly Column<Row>[]): Column<Row> {
  const names = namesOf(columns);
  return columns[names.indexOf(oneOf(flag, given, names))] as Column<Row>;
}

/** As they are typed in a shell: `BASE-URL`. */
function namesOf<Row>(columns: readonly Column<Row>[]): string[] {
  return columns.map((column) => nameOf(column).replaceAll(' ', '-'));
}
