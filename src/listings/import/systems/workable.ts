import type { SourcePlace } from '../source-posting.ts';
import { near, own, ownText, ownTexts, type System } from '../system.ts';
import {
  isKnownBy,
  listAt,
  placesIn,
  postingsIn,
  requirements,
  richText,
  salaryAt,
  textAt,
  valueAt,
} from './values.ts';

// `state` is also the name of a place's state, so only these words say that a posting is not on the board.
const UNLISTED = ['draft', 'closed', 'archived'];

const PAY_NAMES = { min: 'salary_from', max: 'salary_to', currency: 'salary_currency' };

export const workable: System = {
  title: 'Workable',
  recognises: ({ json }) =>
    isKnownBy(postingsIn(json, 'jobs'), 'shortcode', ['title', 'application_url', 'shortlink']),
  postings: ({ json }) => postingsIn(json, 'jobs'),
  isListed: (posting) => !UNLISTED.includes(textAt(posting, 'state') ?? ''),
  id: (posting) => textAt(posting, 'shortcode') ?? textAt(posting, 'id'),
  table: {
    title: ownText('title'),
    description: [
      own('description, requirements, benefits', (posting) => [
        ...richText(textAt(posting, 'description')),
        ...requirements(textAt(posting, 'requirements'), 'Requirements'),
        ...richText(textAt(posting, 'benefits'), 'Benefits'),
      ]),
      own('full_description', (posting) => richText(textAt(posting, 'full_description'))),
    ],
    workplace: [
      ownText('workplace_type'),
      ownText('location.workplace_type'),
      // True of hybrid jobs too.
      near('telecommuting', (posting) => (valueAt(posting, 'telecommuting') === true ? 'remote' : undefined)),
    ],
    places: own('locations', places),
    jobType: ownTexts('employment_type'),
    jobLevel: ownText('experience'),
    salaries: own('salary', (posting) => salaryAt(valueAt(posting, 'salary'), PAY_NAMES)),
    opportunityId: ownText('shortcode'),
    atsJobUrl: [ownText('url'), ownText('shortlink')],
  },
  boardUrl: (name) => `https://apply.workable.com/api/v1/widget/accounts/${name}?details=true`,
};

function places(posting: unknown): SourcePlace[] {
  const listed = listAt(posting, 'locations');
  return placesIn(posting, listed.length > 0 ? listed : listAt(posting, 'location'));
}
