import type { SourcePlace, SourceSalary } from '../source-posting.ts';
import { near, own, readEach, remoteFlag, type System } from '../system.ts';
import * as read from './values.ts';

export const ashby: System = {
  title: 'Ashby',
  recognises({ json }) {
    const jobs = read.listPostings(json, 'jobs');
    if (jobs.length === 0) return read.getText(json, 'apiVersion') !== undefined;
    return read.hasFields(jobs, 'jobUrl', ['applyUrl', 'isRemote', 'isListed', 'descriptionHtml']);
  },
  postings: ({ json }) => read.listPostings(json, 'jobs'),
  isListed: (posting) => read.getValue(posting, 'isListed') !== false,
  id: (posting) => read.getText(posting, 'id', 'jobUrl'),
  table: {
    title: 'title',
    description: ['descriptionHtml', 'descriptionPlain'],
    department: ['department', near('team')],
    workplace: ['workplaceType', remoteFlag('isRemote', 'Remote')],
    remoteCountries: own('address.postalAddress.addressCountry', (posting) =>
      places(posting).flatMap(({ country }) => country ?? []),
    ),
    places: own('location, secondaryLocations', places),
    jobType: 'employmentType',
    salaries: [
      own('shouldDisplayCompensationOnJobPostings', (posting) =>
        read.getValue(posting, 'shouldDisplayCompensationOnJobPostings') === false
          ? [{ isHidden: true }]
          : [],
      ),
      readEach('compensation.compensationTiers', (tier) =>
        read
          .getList(tier, 'components')
          .flatMap((component) => salary(component, read.getText(tier, 'title'))),
      ),
      readEach('compensation.summaryComponents', (component) => salary(component)),
      'compensation.scrapeableCompensationSalarySummary',
      near('compensation.compensationTierSummary'),
    ],
    opportunityId: 'id',
    atsJobUrl: 'jobUrl',
  },
  boardUrl: (name) => `https://api.ashbyhq.com/posting-api/job-board/${name}?includeCompensation=true`,
};

function places(posting: unknown): SourcePlace[] {
  return [posting, ...read.getList(posting, 'secondaryLocations')].flatMap((entry) => {
    const address = read.getValue(entry, 'address.postalAddress') ?? read.getValue(entry, 'address');
    return read.toPlaces({
      text: read.getText(entry, '', 'location'),
      city: read.getText(address, 'addressLocality'),
      region: read.getText(address, 'addressRegion'),
      country: read.getText(address, 'addressCountry'),
    });
  });
}

const PAY_TYPE = /salary|wage|hourly|on.?target|\bote\b/i;
const COMPONENT = {
  min: 'minValue',
  max: 'maxValue',
  currency: 'currencyCode',
  period: 'interval',
  text: 'summary',
};

function salary(component: unknown, tier = ''): SourceSalary[] {
  const type = read.getText(component, 'compensationType') ?? '';
  if (!PAY_TYPE.test(type)) return [];
  const label = [tier, type === 'Salary' ? '' : type].filter((part) => part !== '').join(', ');
  return read.readSalary(component, COMPONENT, label);
}
