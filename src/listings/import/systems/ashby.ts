import type { SourcePlace, SourceSalary } from '../source-posting.ts';
import { near, own, ownRichText, ownText, ownTexts, remoteFlag, type System } from '../system.ts';
import * as read from './values.ts';

export const ashby: System = {
  title: 'Ashby',
  recognises: ({ json }) =>
    read.isKnownBy(read.postingsIn(json, 'jobs'), 'jobUrl', [
      'applyUrl',
      'isRemote',
      'isListed',
      'descriptionHtml',
    ]) ||
    (read.textAt(json, 'apiVersion') !== undefined && read.postingsIn(json, 'jobs').length === 0),
  postings: ({ json }) => read.postingsIn(json, 'jobs'),
  isListed: (posting) => read.valueAt(posting, 'isListed') !== false,
  id: (posting) => read.textAt(posting, 'id') ?? read.textAt(posting, 'jobUrl'),
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
        read.valueAt(posting, 'shouldDisplayCompensationOnJobPostings') === false ? [{ isHidden: true }] : [],
      ),
      own('compensation.compensationTiers', (posting) =>
        read
          .listAt(posting, 'compensation', 'compensationTiers')
          .flatMap((tier) =>
            read
              .listAt(tier, 'components')
              .flatMap((component) => salary(component, read.textAt(tier, 'title'))),
          ),
      ),
      own('compensation.summaryComponents', (posting) =>
        read.listAt(posting, 'compensation', 'summaryComponents').flatMap((component) => salary(component)),
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
  return [posting, ...read.listAt(posting, 'secondaryLocations')].flatMap((entry) => {
    const address = read.valueAt(entry, 'address', 'postalAddress') ?? read.valueAt(entry, 'address');
    return read.placeOf({
      text: read.textAt(entry) ?? read.textAt(entry, 'location'),
      city: read.textAt(address, 'addressLocality'),
      region: read.textAt(address, 'addressRegion'),
      country: read.textAt(address, 'addressCountry'),
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

/** A component that is pay: not equity, a bonus or a commission. */
function salary(component: unknown, tier = ''): SourceSalary[] {
  const type = read.textAt(component, 'compensationType') ?? '';
  if (!PAY_TYPE.test(type)) return [];
  const label = [tier, type === 'Salary' ? '' : type].filter((part) => part !== '').join(', ');
  return read.salaryAt(component, COMPONENT, label);
}
