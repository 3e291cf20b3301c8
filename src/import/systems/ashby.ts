import type { SourcePlace, SourceSalary } from '../source-posting.ts';
import { near, own, ownRichText, ownText, ownTexts, remoteFlag, type System } from '../system.ts';
import * as read from './values.ts';

export const ashby: System = {
  title: 'Ashby',
  recognises: ({ json }) =>
    read.hasFields(read.listPostings(json, 'jobs'), 'jobUrl', [
      'applyUrl',
      'isRemote',
      'isListed',
      'descriptionHtml',
    ]) ||
    (read.getText(json, 'apiVersion') !== undefined && read.listPostings(json, 'jobs').length === 0),
  postings: ({ json }) => read.listPostings(json, 'jobs'),
  isListed: (posting) => read.getValue(posting, 'isListed') !== false,
  id: (posting) => read.getText(posting, 'id') ?? read.getText(posting, 'jobUrl'),
  table: {
    title: ownText('title'),
    description: ownRichText('descriptionHtml', 'descriptionPlain'),
    workplace: [...ownText<'workplace'>('workplaceType'), remoteFlag('isRemote', 'Remote')],
    remoteCountries: own('address.postalAddress.addressCountry', (posting) =>
      places(posting).flatMap(({ country }) => country ?? []),
    ),
    places: own('location, secondaryLocations', places),
    jobType: ownTexts('employmentType'),
    salaries: [
      own('shouldDisplayCompensationOnJobPostings', (posting) =>
        read.getValue(posting, 'shouldDisplayCompensationOnJobPostings') === false
          ? [{ isHidden: true }]
          : [],
      ),
      own('compensation.compensationTiers', (posting) =>
        read
          .getList(posting, 'compensation', 'compensationTiers')
          .flatMap((tier) =>
            read
              .getList(tier, 'components')
              .flatMap((component) => salary(component, read.getText(tier, 'title'))),
          ),
      ),
      own('compensation.summaryComponents', (posting) =>
        read.getList(posting, 'compensation', 'summaryComponents').flatMap((component) => salary(component)),
      ),
      own('compensation.scrapeableCompensationSalarySummary', (posting) =>
        read.salaryTexts(posting, 'compensation', 'scrapeableCompensationSalarySummary'),
      ),
      near('compensation.compensationTierSummary', (posting) =>
        read.salaryTexts(posting, 'compensation', 'compensationTierSummary'),
      ),
    ],
    opportunityId: ownText('id'),
    atsJobUrl: ownText('jobUrl'),
  },
  boardUrl: (name) => `https://api.ashbyhq.com/posting-api/job-board/${name}?includeCompensation=true`,
};

function places(posting: unknown): SourcePlace[] {
  return [posting, ...read.getList(posting, 'secondaryLocations')].flatMap((entry) => {
    const address = read.getValue(entry, 'address', 'postalAddress') ?? read.getValue(entry, 'address');
    return read.toPlaces({
      text: read.getText(entry) ?? read.getText(entry, 'location'),
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
