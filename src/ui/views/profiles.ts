import { keyLabel } from '../../contract/mask.ts';
import { paragraph } from '../blocks.ts';
import type { Column } from '../column.ts';
import type { ListShape } from '../list-shape.ts';
import { table } from '../table.ts';
import type { View } from '../view.ts';
import { type Fields, fieldsIn, listIn, textIn } from './read.ts';

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

/** What a login did: where to, under which name, and whose jobs the key acts on, as far as the server tells. */
export function loginText(login: unknown, view: View): string {
  const { profile, current, companyId } = fieldsIn(login);
  const { name, baseUrl } = fieldsIn(profile);
  const goesOn = `; calls still go to ${textIn(current) ?? 'the bundled engine'}`;
  const standing = current === name ? ', now the current one' : goesOn;
  const company = textIn(companyId);
  return [
    paragraph(`Logged in to ${textIn(baseUrl)} as profile ${textIn(name)}${standing}`, view),
    paragraph(
      company === undefined
        ? 'Which company its key acts for cannot be told: the server lists no job'
        : `Its key acts on the jobs of company ${company}`,
      view,
    ),
  ].join('');
}

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
