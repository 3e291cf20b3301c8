import { paragraph } from '../../cli/terminal/blocks.ts';
import type { Column } from '../../cli/terminal/column.ts';
import type { ListShape } from '../../cli/terminal/list-shape.ts';
import { type Fields, fieldsIn, listIn, textIn } from '../../cli/terminal/read.ts';
import { table } from '../../cli/terminal/table.ts';
import type { View } from '../../cli/terminal/view.ts';
import { keyLabel } from '../../contract/mask.ts';

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
