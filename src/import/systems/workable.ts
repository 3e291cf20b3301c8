import type { SourcePlace } from '../source-posting.ts';
import { own, remoteFlag, type System } from '../system.ts';
import * as read from './values.ts';

// Only these values mean an unlisted posting, because a place's state is also called `state`.
const UNLISTED = ['draft', 'closed', 'archived'];

const PAY_NAMES = { min: 'salary_from', max: 'salary_to', currency: 'salary_currency' };

export const workable: System = {
  title: 'Workable',
  recognises: ({ json }) =>
    read.hasFields(read.listPostings(json, 'jobs'), 'shortcode', ['title', 'application_url', 'shortlink']),
  postings: ({ json }) => read.listPostings(json, 'jobs'),
  isListed: (posting) => !UNLISTED.includes(read.getText(posting, 'state') ?? ''),
  id: (posting) => read.getText(posting, 'shortcode', 'id'),
  table: {
    title: 'title',
    description: [
      own('description, requirements, benefits', (posting) => [
        ...read.richText(read.getText(posting, 'description')),
        ...read.requirements(read.getText(posting, 'requirements'), 'Requirements'),
        ...read.richText(read.getText(posting, 'benefits'), 'Benefits'),
      ]),
      'full_description',
    ],
    department: 'department',
    workplace: ['workplace_type', 'location.workplace_type', remoteFlag('telecommuting')],
    places: own('locations', places),
    jobType: 'employment_type',
    jobLevel: 'experience',
    salaries: own('salary', (posting) => read.readSalary(read.getValue(posting, 'salary'), PAY_NAMES)),
    opportunityId: 'shortcode',
    atsJobUrl: ['url', 'shortlink'],
  },
  boardUrl: (name) => `https://apply.workable.com/api/v1/widget/accounts/${name}?details=true`,
};

function places(posting: unknown): SourcePlace[] {
  const listed = read.getList(posting, 'locations');
  return read.readPlaces(posting, listed.length > 0 ? listed : read.getList(posting, 'location'));
}
