import type { Column } from '../../cli/terminal/column.ts';
import type { PlaceMeaning } from '../../listings/places/place-meaning.ts';
import type { UsedText } from '../../listings/places/place-uses.ts';
import { remoteFields } from '../../listings/places/said-of.ts';

const CANDIDATES_SHOWN = 3;

function becomes(meaning: PlaceMeaning): string {
  switch (meaning.kind) {
    case 'place':
      return `${meaning.place.locationId} ${meaning.place.displayName}`;
    case 'several':
      return meaning.parts.map((part) => becomes(part.meaning)).join(' · ');
    case 'remote':
      return remoteFields(meaning.countries);
    case 'country':
      return meaning.country;
    case 'region':
      return [meaning.region, meaning.country].filter(Boolean).join(', ');
    case 'continent':
      return meaning.name;
    case 'ambiguous':
      return `${meaning.candidates
        .slice(0, CANDIDATES_SHOWN)
        .map(({ displayName }) => displayName)
        .join(' or ')}?`;
    default:
      return '';
  }
}

export const RESOLVED_COLUMNS: readonly Column<UsedText>[] = [
  { title: 'TEXT', text: ({ text }) => text, shrinksTo: 12 },
  {
    title: 'USES',
    text: ({ uses }) => String(uses.length),
    value: ({ uses }) => uses.length,
    align: 'right',
    givesWay: 2,
  },
  {
    title: 'FIRST',
    text: ({ uses: [first] }) => (first ? `${first.file}:${first.cell ?? first.line}` : ''),
    shrinksTo: 10,
    givesWay: 1,
  },
  { title: 'BECOMES', text: ({ meaning }) => becomes(meaning), shrinksTo: 14 },
  {
    title: 'SURE',
    text: ({ meaning }) => (meaning.kind === 'place' ? meaning.sure : meaning.kind),
    style: ({ meaning }) => (meaning.kind === 'place' || meaning.kind === 'several' ? 'green' : 'yellow'),
  },
];

/** As `--json` gives it. */
export function resolvedText({ text, uses, meaning }: UsedText) {
  return { text, uses: uses.length, first: uses[0], meaning };
}
