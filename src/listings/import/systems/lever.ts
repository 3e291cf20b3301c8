import type { SourceText } from '../source-posting.ts';
import { own, ownText, ownTexts, type System } from '../system.ts';
import {
  boardNameIn,
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

const EU_HOST = 'jobs.eu.lever.co';

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
  boardUrl: (name, seenAt) =>
    `https://api${seenAt?.hostname === EU_HOST ? '.eu' : ''}.lever.co/v0/postings/${encodeURIComponent(name)}?mode=json`,
  boardToken: (address) => boardNameIn(address, ['jobs.lever.co', EU_HOST]),
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
