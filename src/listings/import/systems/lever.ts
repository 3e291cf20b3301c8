import type { SourceText } from '../source-posting.ts';
import { own, ownText, ownTexts, type System } from '../system.ts';
import {
  isKnownBy,
  listAt,
  PAY_NAMES,
  placeOf,
  richText,
  salaryAt,
  salaryTexts,
  textAt,
  textsAt,
  valueAt,
} from './values.ts';

export const lever: System = {
  title: 'Lever',
  recognises: ({ json }) => isKnownBy(listAt(json), 'text', ['hostedUrl', 'categories', 'workplaceType']),
  postings: ({ json }) => listAt(json),
  isListed: (posting) => (textAt(posting, 'state') ?? 'published') === 'published',
  id: (posting) => textAt(posting, 'id'),
  table: {
    title: ownText('text'),
    description: own('description, lists, additional', description),
    workplace: own('workplaceType', (posting) => {
      const type = textAt(posting, 'workplaceType');
      return type === 'unspecified' ? undefined : type;
    }),
    remoteCountries: ownTexts('country'),
    places: [
      own('categories.allLocations', (posting) =>
        textsAt(posting, 'categories', 'allLocations').map((text) => ({ text })),
      ),
      own('categories.location', (posting) => placeOf({ text: textAt(posting, 'categories', 'location') })),
    ],
    jobType: ownTexts('categories.commitment'),
    jobLevel: ownText('categories.level'),
    salaries: [
      own('salaryRange', (posting) =>
        salaryAt(valueAt(posting, 'salaryRange'), { ...PAY_NAMES, period: 'interval' }),
      ),
      own('salaryDescription', (posting) => salaryTexts(posting, 'salaryDescriptionPlain')),
    ],
    opportunityId: ownText('id'),
    atsJobUrl: ownText('hostedUrl'),
  },
  boardUrl: (name) => `https://api.lever.co/v0/postings/${name}?mode=json`,
};

/** The description holds the opening and the body already, but not in every answer. */
function description(posting: unknown): readonly SourceText[] {
  const part = (name: string) => richText(textAt(posting, name) ?? textAt(posting, `${name}Plain`));
  const whole = part('description');
  const opening = part('opening').filter((one) => !whole.some(({ text }) => text.includes(one.text)));
  return [
    ...opening,
    ...(whole.length > 0 ? whole : part('descriptionBody')),
    ...listAt(posting, 'lists').flatMap((list) => richText(textAt(list, 'content'), textAt(list, 'text'))),
    ...part('additional'),
  ];
}
