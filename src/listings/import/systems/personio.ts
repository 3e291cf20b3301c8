import type { System } from '../system.ts';
import { near, own, ownText, type SourceDocument } from '../system.ts';
import { listAt, richText, salaryAt, textAt, textsAt, valueAt } from './values.ts';

const HOST = /^([\w-]+)\.jobs\.personio\.(?:de|com)$/;

/** A part that Personio adds for its own page. */
const NO_TEXT_OF_POSTING = 'CONTACT_PERSON';

/** https://developer.personio.de, "Retrieving open positions": the feed at `/xml` of a company's job page. */
export const personio: System = {
  title: 'Personio',
  recognises: ({ xml }) => xml?.root === 'workzagjobs',
  postings: (document) => postings(document),
  id: (position) => textAt(position, 'id'),
  boardUrl: (token) => `https://${token}.jobs.personio.de/xml?language=en`,
  table: {
    title: ownText('name'),
    description: own('jobDescriptions', (position) =>
      listAt(position, 'jobdescriptions', 'jobdescription').flatMap((part) => {
        const heading = textAt(part, 'name');
        if (heading === NO_TEXT_OF_POSTING) return [];
        return richText(textAt(part, 'value') ?? textAt(part, 'value', '#source'), heading);
      }),
    ),
    places: own('office, additionalOffices', (position) => offices(position).map((text) => ({ text }))),
    // `permanent` says nothing on the hours, and `full-time` nothing on an internship: both are needed.
    jobType: own('employmentType, schedule', (position) => [
      ...textsAt(position, 'employmenttype'),
      ...textsAt(position, 'schedule'),
    ]),
    jobLevel: ownText('seniority'),
    salaries: own('salaryInformation', (position) =>
      salaryAt(valueAt(position, 'salaryinformation'), {
        min: 'min',
        max: 'max',
        currency: 'currencycode',
        period: 'type',
      }),
    ),
    opportunityId: ownText('id'),
    atsJobUrl: near('the address of the feed, id', (position) => textAt(position, '#address')),
  },
};

/** A feed holds no addresses: they follow from its own, where it was read from one. */
function* postings({ name, xml }: SourceDocument): Iterable<unknown> {
  const page = URL.canParse(name) && HOST.test(new URL(name).hostname) ? new URL(name).origin : undefined;
  for (const position of xml?.elements('position') ?? []) {
    const id = textAt(position, 'id');
    const hasAddress = typeof position === 'object' && page !== undefined && id !== undefined;
    yield hasAddress ? { ...position, '#address': `${page}/job/${encodeURIComponent(id)}` } : position;
  }
}

function offices(position: unknown): readonly string[] {
  return [...new Set([...textsAt(position, 'office'), ...textsAt(position, 'additionaloffices', 'office')])];
}
