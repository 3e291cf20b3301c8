import type { SourcePlace } from '../source-posting.ts';
import { own, ownRichText, ownText, ownTexts, remoteFlag, type System } from '../system.ts';
import * as read from './values.ts';

// `state` is also the name of a place's state, so only these words say that a posting is not on the board.
const UNLISTED = ['draft', 'closed', 'archived'];

const PAY_NAMES = { min: 'salary_from', max: 'salary_to', currency: 'salary_currency' };

export const workable: System = {
  title: 'Workable',
  recognises: ({ json }) =>
    read.isKnownBy(read.postingsIn(json, 'jobs'), 'shortcode', ['title', 'application_url', 'shortlink']),
  postings: ({ json }) => read.postingsIn(json, 'jobs'),
  isListed: (posting) => !UNLISTED.includes(read.textAt(posting, 'state') ?? ''),
  id: (posting) => read.textAt(posting, 'shortcode') ?? read.textAt(posting, 'id'),
  table: {
    title: ownText('title'),
    description: [
      own('description, requirements, benefits', (posting) => [
        ...read.richText(read.textAt(posting, 'description')),
        ...read.requirements(read.textAt(posting, 'requirements'), 'Requirements'),
        ...read.richText(read.textAt(posting, 'benefits'), 'Benefits'),
      ]),
      ...ownRichText('full_description'),
    ],
    workplace: [
      ...ownText<'workplace'>('workplace_type', 'location.workplace_type'),
      remoteFlag('telecommuting'),
    ],
    places: own('locations', places),
    jobType: ownTexts('employment_type'),
    jobLevel: ownText('experience'),
    salaries: own('salary', (posting) => read.salaryAt(read.valueAt(posting, 'salary'), PAY_NAMES)),
    opportunityId: ownText('shortcode'),
    atsJobUrl: ownText('url', 'shortlink'),
  },
  boardUrl: (name) => `https://apply.workable.com/api/v1/widget/accounts/${name}?details=true`,
};

function places(posting: unknown): SourcePlace[] {
  const listed = read.listAt(posting, 'locations');
  return read.placesIn(posting, listed.length > 0 ? listed : read.listAt(posting, 'location'));
}
