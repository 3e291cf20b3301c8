import type { SourcePlace, SourceSalary } from '../source-posting.ts';
import { near, own, ownText, ownTexts, type System } from '../system.ts';
import {
  isKnownBy,
  listAt,
  placeOf,
  postingsIn,
  richText,
  salaryAt,
  salaryTexts,
  textAt,
  valueAt,
} from './values.ts';

export const ashby: System = {
  title: 'Ashby',
  recognises: ({ json }) =>
    isKnownBy(postingsIn(json, 'jobs'), 'jobUrl', ['applyUrl', 'isRemote', 'isListed', 'descriptionHtml']) ||
    (textAt(json, 'apiVersion') !== undefined && postingsIn(json, 'jobs').length === 0),
  postings: ({ json }) => postingsIn(json, 'jobs'),
  isListed: (posting) => valueAt(posting, 'isListed') !== false,
  id: (posting) => textAt(posting, 'id') ?? textAt(posting, 'jobUrl'),
  table: {
    title: ownText('title'),
    description: [
      own('descriptionHtml', (posting) => richText(textAt(posting, 'descriptionHtml'))),
      own('descriptionPlain', (posting) => richText(textAt(posting, 'descriptionPlain'))),
    ],
    workplace: [
      ownText('workplaceType'),
      // True of hybrid jobs too, so it counts only where nothing better does.
      near('isRemote', (posting) => (valueAt(posting, 'isRemote') === true ? 'Remote' : undefined)),
    ],
    remoteCountries: own('address.postalAddress.addressCountry', (posting) =>
      places(posting).flatMap(({ country }) => country ?? []),
    ),
    places: own('location, secondaryLocations', places),
    jobType: ownTexts('employmentType'),
    salaries: [
      own('shouldDisplayCompensationOnJobPostings', (posting) =>
        valueAt(posting, 'shouldDisplayCompensationOnJobPostings') === false ? [{ isHidden: true }] : [],
      ),
      own('compensation.compensationTiers', (posting) =>
        listAt(posting, 'compensation', 'compensationTiers').flatMap((tier) =>
          listAt(tier, 'components').flatMap((component) => salary(component, textAt(tier, 'title'))),
        ),
      ),
      own('compensation.summaryComponents', (posting) =>
        listAt(posting, 'compensation', 'summaryComponents').flatMap((component) => salary(component)),
      ),
      own('compensation.scrapeableCompensationSalarySummary', (posting) =>
        salaryTexts(posting, 'compensation', 'scrapeableCompensationSalarySummary'),
      ),
      near('compensation.compensationTierSummary', (posting) =>
        salaryTexts(posting, 'compensation', 'compensationTierSummary'),
      ),
    ],
    opportunityId: ownText('id'),
    atsJobUrl: ownText('jobUrl'),
  },
  boardUrl: (name) => `https://api.ashbyhq.com/posting-api/job-board/${name}?includeCompensation=true`,
};

function places(posting: unknown): SourcePlace[] {
  return [posting, ...listAt(posting, 'secondaryLocations')].flatMap((entry) => {
    const address = valueAt(entry, 'address', 'postalAddress') ?? valueAt(entry, 'address');
    return placeOf({
      text: textAt(entry) ?? textAt(entry, 'location'),
      city: textAt(address, 'addressLocality'),
      region: textAt(address, 'addressRegion'),
      country: textAt(address, 'addressCountry'),
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
  const type = textAt(component, 'compensationType') ?? '';
  if (!PAY_TYPE.test(type)) return [];
  const label = [tier, type === 'Salary' ? '' : type].filter((part) => part !== '').join(', ');
  return salaryAt(component, COMPONENT, label);
}
