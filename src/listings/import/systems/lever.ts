import type { SourceText } from '../source-posting.ts';
import { own, ownText, ownTexts, type System } from '../system.ts';
import * as read from './values.ts';

export const lever: System = {
  title: 'Lever',
  recognises: ({ json }) =>
    read.isKnownBy(read.listAt(json), 'text', ['hostedUrl', 'categories', 'workplaceType']),
  postings: ({ json }) => read.listAt(json),
  isListed: (posting) => (read.textAt(posting, 'state') ?? 'published') === 'published',
  id: (posting) => read.textAt(posting, 'id'),
  table: {
    title: ownText('text'),
    description: own('description, lists, additional', description),
    workplace: own('workplaceType', (posting) => {
      const type = read.textAt(posting, 'workplaceType');
      return type === 'unspecified' ? undefined : type;
    }),
    remoteCountries: ownTexts('country'),
    places: [
      own('categories.allLocations', (posting) =>
        read.textsAt(posting, 'categories', 'allLocations').map((text) => ({ text })),
      ),
      own('categories.location', (posting) =>
        read.placeOf({ text: read.textAt(posting, 'categories', 'location') }),
      ),
    ],
    jobType: ownTexts('categories.commitment'),
    jobLevel: ownText('categories.level'),
    salaries: [
      own('salaryRange', (posting) =>
        read.salaryAt(read.valueAt(posting, 'salaryRange'), { ...read.PAY_NAMES, period: 'interval' }),
      ),
      own('salaryDescription', (posting) => read.salaryTexts(posting, 'salaryDescriptionPlain')),
    ],
    opportunityId: ownText('id'),
    atsJobUrl: ownText('hostedUrl'),
  },
  boardUrl: (name) => `https://api.lever.co/v0/postings/${name}?mode=json`,
};

/** The description holds the opening and the body already, but not in every answer. */
function description(posting: unknown): readonly SourceText[] {
  const part = (name: string) =>
    read.richText(read.textAt(posting, name) ?? read.textAt(posting, `${name}Plain`));
  const whole = part('description');
  const opening = part('opening').filter((one) => !whole.some(({ text }) => text.includes(one.text)));
  return [
    ...opening,
    ...(whole.length > 0 ? whole : part('descriptionBody')),
    ...read
      .listAt(posting, 'lists')
      .flatMap((list) => read.richText(read.textAt(list, 'content'), read.textAt(list, 'text'))),
    ...part('additional'),
  ];
}
