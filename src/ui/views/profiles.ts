import { keyLabel } from '../../contract/mask.ts';
import type { Column } from '../column.ts';
import type { ListShape } from '../list-shape.ts';
import { table } from '../table.ts';
import type { View } from '../view.ts';
import { type Fields, listIn, textIn } from './read.ts';

export const PROFILE_COLUMNS: readonly Column<Fields>[] = [
  {
    title: '',
    name: 'CURRENT',
    text: ({ isCurrent }) => (isCurrent === true ? '*' : ' '),
    whole: ({ isCurrent }) => (isCurrent === true ? '*' : ''),
    style: () => 'green',
  },
  { title: 'PROFILE', text: ({ name }) => textIn(name) ?? '', shrinksTo: 10 },
  { title: 'BASE URL', text: ({ baseUrl }) => textIn(baseUrl) ?? '', shrinksTo: 16 },
  { title: 'KEY', text: ({ key }) => (typeof key === 'string' ? keyLabel(key) : 'none'), givesWay: 1 },
];

/** The profiles of the user config, the current one marked; a key only by its last letters. */
export function profileTable(profiles: unknown, view: View, shape?: ListShape<Fields>): Promise<string> {
  return table(
    PROFILE_COLUMNS,
    listIn(profiles),
    view,
    'No profiles: calls go to the bundled engine.',
    shape,
  );
}
