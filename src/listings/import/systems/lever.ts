import type { SourceText } from '../source-posting.ts';
import { own, ownText, ownTexts, type System } from '../system.ts';
import {
  boardNameIn,
  isKnownBy,
  listAt,
  placeOf,
  postingsIn,
  richText,
  salaryAt,
  textAt,
  textsAt,
  valueAt,
} from './values.ts';

const EU_HOST = 'jobs.eu.lever.co';

export const lever: System = {
  title: 'Lever',
  recognises: ({ json }) =>
    isKnownBy(postingsIn(json, 'data', 'postings'), 'text', ['hostedUrl', 'categories', 'workplaceType']),
  postings: ({ json }) => postingsIn(json, 'data', 'postings'),
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
        salaryAt(valueAt(posting, 'salaryRange'), {
          min: 'min',
          max: 'max',
          currency: 'currency',
          period: 'interval',
        }),
      ),
      own('salaryDescription', (posting) =>
        textsAt(posting, 'salaryDescriptionPlain').map((text) => ({ text })),
      ),
    ],
    opportunityId: ownText('id'),
    atsJobUrl: own('hostedUrl', (posting) => textAt(posting, 'hostedUrl') ?? textAt(posting, 'urls', 'show')),
  },
  boardUrl: (name, seenAt) =>
    `https://api${seenAt?.hostname === EU_HOST ? '.eu' : ''}.lever.co/v0/postings/${encodeURIComponent(name)}?mode=json`,
  boardToken: (address) => boardNameIn(address, ['jobs.lever.co', EU_HOST]),
};

/** The description holds the opening and the body already, but not in every answer. */
function description(posting: unknown): readonly SourceText[] {
  const whole = part(posting, 'description');
  const [opening] = part(posting, 'opening');
  const isOpened = opening === undefined || whole.some(({ text }) => text.includes(opening.text));
  return [
    ...(isOpened ? [] : [opening]),
    ...(whole.length > 0 ? whole : part(posting, 'descriptionBody')),
    ...listAt(posting, 'lists').flatMap((list) => richText(textAt(list, 'content'), textAt(list, 'text'))),
    ...part(posting, 'additional'),
  ];
}

function part(posting: unknown, name: string): readonly SourceText[] {
  const html = textAt(posting, name);
  if (html !== undefined) return richText(html);
  const text = textAt(posting, `${name}Plain`);
  return text === undefined ? [] : [{ text, isHtml: false }];
}
