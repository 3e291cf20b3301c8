import { near, own, type SourceDocument, type System } from '../system.ts';
import { getList, getText, getTexts, getValue, readSalary, richText } from './values.ts';

const HOST = /^([\w-]+)\.jobs\.personio\.(?:de|com)$/;

/** Personio adds this section for its own page, so it isn't part of the description. */
const NO_TEXT_OF_POSTING = 'CONTACT_PERSON';

const PAY_NAMES = { min: 'min', max: 'max', currency: 'currencycode', period: 'type' };

/** https://developer.personio.de, "Retrieving open positions": the feed at `/xml` of a company's job page. */
export const personio: System = {
  title: 'Personio',
  recognises: ({ xml }) => xml?.root === 'workzagjobs',
  postings,
  id: (position) => getText(position, 'id'),
  boardUrl: (token) => `https://${token}.jobs.personio.de/xml?language=en`,
  table: {
    title: 'name',
    description: own('jobDescriptions', (position) =>
      getList(position, 'jobdescriptions.jobdescription').flatMap((part) => {
        const heading = getText(part, 'name');
        if (heading === NO_TEXT_OF_POSTING) return [];
        return richText(getText(part, 'value', 'value.#source'), heading);
      }),
    ),
    department: 'department',
    places: own('office, additionalOffices', (position) =>
      getTexts(position, 'office', 'additionaloffices.office').map((text) => ({ text })),
    ),
    // `permanent` doesn't specify hours, and `full-time` doesn't identify an internship, so both are needed.
    jobType: own('employmentType, schedule', (position) => getTexts(position, 'employmenttype', 'schedule')),
    jobLevel: 'seniority',
    salaries: own('salaryInformation', (position) =>
      readSalary(getValue(position, 'salaryinformation'), PAY_NAMES),
    ),
    opportunityId: 'id',
    atsJobUrl: near('the URL of the feed, id', (position) => getText(position, '#address')),
  },
};

/** Feeds contain no posting URLs. They are derived from the feed's URL if it was read from one. */
function* postings({ name, xml }: SourceDocument): Iterable<unknown> {
  const page = URL.canParse(name) && HOST.test(new URL(name).hostname) ? new URL(name).origin : undefined;
  for (const position of xml?.elements('position') ?? []) {
    const id = getText(position, 'id');
    const hasAddress = typeof position === 'object' && page !== undefined && id !== undefined;
    yield hasAddress ? { ...position, '#address': `${page}/job/${encodeURIComponent(id)}` } : position;
  }
}
