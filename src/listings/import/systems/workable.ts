import { isObject } from '../../../contract/values.ts';
import type { SourcePlace } from '../source-posting.ts';
import { near, own, ownText, ownTexts, type System } from '../system.ts';
import {
  boardNameIn,
  isKnownBy,
  listAt,
  placeOf,
  postingsIn,
  richText,
  salaryAt,
  textAt,
  valueAt,
} from './values.ts';

// `state` is also the name of a place's state, so only these words say that a posting is not on the board.
const UNLISTED = ['draft', 'closed', 'archived'];

export const workable: System = {
  title: 'Workable',
  recognises: ({ json }) =>
    isKnownBy(postingsIn(json, 'jobs', 'results'), 'shortcode', [
      'application_url',
      'shortlink',
      'telecommuting',
      'workplace',
    ]),
  postings: ({ json }) => postingsIn(json, 'jobs', 'results'),
  isListed: (posting) => !UNLISTED.includes(textAt(posting, 'state') ?? ''),
  id: (posting) => textAt(posting, 'shortcode') ?? textAt(posting, 'id') ?? textAt(posting, 'code'),
  table: {
    title: ownText('title'),
    description: [
      own('description, requirements, benefits', (posting) => [
        ...richText(textAt(posting, 'description')),
        ...richText(textAt(posting, 'requirements'), 'Requirements'),
        ...richText(textAt(posting, 'benefits'), 'Benefits'),
      ]),
      own('full_description', (posting) => richText(textAt(posting, 'full_description'))),
    ],
    workplace: [
      ownText('workplace_type'),
      ownText('workplace'),
      ownText('location.workplace_type'),
      // True of hybrid jobs too.
      near('telecommuting', (posting) => (isTelecommuting(posting) ? 'remote' : undefined)),
    ],
    remoteCountries: near('locations[].country', (posting) => [
      ...new Set(places(posting).flatMap(({ country }) => country ?? [])),
    ]),
    places: own('locations', places),
    jobType: ownTexts('employment_type'),
    jobLevel: ownText('experience'),
    salaries: own('salary', (posting) =>
      salaryAt(valueAt(posting, 'salary'), {
        min: 'salary_from',
        max: 'salary_to',
        currency: 'salary_currency',
      }),
    ),
    opportunityId: ownText('shortcode'),
    atsJobUrl: [ownText('url'), ownText('shortlink')],
  },
  boardUrl: (name) =>
    `https://apply.workable.com/api/v1/widget/accounts/${encodeURIComponent(name)}?details=true`,
  boardToken: (address) => boardNameIn(address, ['apply.workable.com']),
};

function isTelecommuting(posting: unknown): boolean {
  return [valueAt(posting, 'telecommuting'), valueAt(posting, 'location', 'telecommuting')].includes(true);
}

/** The places that the company shows; a list, or the fields of the posting itself. */
function places(posting: unknown): SourcePlace[] {
  const shown = listAt(posting, 'locations').filter((place) => valueAt(place, 'hidden') !== true);
  const listed = shown.flatMap(place);
  if (listed.length > 0) return listed;
  const single = valueAt(posting, 'location');
  if (isObject(single)) return place(single);
  const state = textAt(posting, 'state');
  return place({ ...(isObject(posting) ? posting : {}), region: state === 'published' ? undefined : state });
}

function place(entry: unknown): SourcePlace[] {
  return placeOf({
    text: textAt(entry, 'location_str'),
    city: textAt(entry, 'city'),
    region: textAt(entry, 'region'),
    country: textAt(entry, 'country') ?? textAt(entry, 'countryCode') ?? textAt(entry, 'country_code'),
  });
}
