import { keyLabel } from '../../contract/mask.ts';
import { type Column, table } from '../table.ts';
import type { View } from '../view.ts';
import { type Fields, listIn, textIn } from './read.ts';

const COLUMNS: readonly Column<Fields>[] = [
  {
    title: '',
    text: ({ isCurrent }) => (isCurrent === true ? '*' : ' '),
    whole: ({ isCurrent }) => (isCurrent === true ? '*' : ''),
    style: () => 'green',
  },
  { title: 'PROFILE', text: ({ name }) => textIn(name) ?? '', shrinksTo: 10 },
  { title: 'BASE URL', text: ({ baseUrl }) => textIn(baseUrl) ?? '', shrinksTo: 16 },
  { title: 'KEY', text: ({ key }) => (typeof key === 'string' ? keyLabel(key) : 'none'), givesWay: 1 },
];

/** The profiles of the user config, the current one marked; a key only by its last letters. */
export function profileTable(profiles: unknown, view: View): Promise<string> {
  return table(COLUMNS, listIn(profiles), view, 'No profiles: calls go to the bundled engine.');
}
