import type { SourceField, SourceFields } from '../source-posting.ts';
import { near, own, type Row, type System } from '../system.ts';
import {
  listAt,
  placesIn,
  requirements,
  richText,
  salaryAt,
  salaryTexts,
  termsIn,
  textAt,
  textsAt,
  valueAt,
} from './values.ts';

/** Documented at https://docs.indeed.com (XML feed); other boards take it with names of their own. */
const NAMES = {
  id: [
    'referencenumber',
    'reference',
    'requisitionid',
    'partnerjobid',
    'jobid',
    'id',
    '@id',
    'jobref',
    'guid',
  ],
  title: ['title', 'jobtitle', 'name'],
  description: ['description', 'descriptionrequirements', 'jobdescription', 'body', 'content'],
  requirements: ['requirements', 'jobqualification'],
  workplace: ['remotetype', 'workplacetypes', 'workplacetype'],
  jobType: ['jobtype', 'contracttype', 'employmenttype', 'type'],
  jobLevel: ['experiencelevel', 'seniority', 'experience', 'jobexperience'],
  salary: ['salary', 'jobsalary', 'compensation', 'salarydescription'],
  url: ['url', 'link', 'applyurl', 'joburl'],
} as const;

export const indeed: System = {
  title: 'Indeed XML',
  recognises: ({ xml }) => {
    if (xml?.root === 'source') return true;
    const [job] = xml?.elements('job') ?? [];
    return found(job, 'title') !== undefined && (found(job, 'id') ?? found(job, 'url')) !== undefined;
  },
  postings: ({ xml }) => xml?.elements('job') ?? [],
  id: (job) => found(job, 'id'),
  table: {
    title: rows<'title'>(NAMES.title, String),
    description: own('description', (job) => [
      ...richText(found(job, 'description')),
      ...requirements(found(job, 'requirements'), 'Requirements'),
    ]),
    workplace: [
      ...rows<'workplace'>(NAMES.workplace, String),
      near('remote', (job) => (textAt(job, 'remote') === 'true' ? 'remote' : undefined)),
    ],
    places: [
      own('city, state, country', (job) => {
        const places = placesIn(job, listAt(job, 'locations', 'location'));
        return places.some(({ text, city, isHidden }) => text ?? city ?? isHidden) ? places : [];
      }),
      own('locationdescription', (job) => {
        const [text, country] = [textAt(job, 'locationdescription'), textAt(job, 'country')];
        return text === undefined ? [] : [{ text, ...(country && { country }) }];
      }),
      own('state, country', (job) => placesIn(job, [])),
    ],
    jobType: [
      ...rows<'jobType'>(NAMES.jobType, termsIn),
      own('positiontype, hours', (job) => [...textsAt(job, 'positiontype'), ...textsAt(job, 'hours')]),
    ],
    jobLevel: rows<'jobLevel'>(NAMES.jobLevel, String).map((row) => ({ ...row, isOwnField: false })),
    salaries: [
      ...rows<'salaries'>(NAMES.salary, (text) => salaryTexts(text)),
      own('salary.min, salary.max', (job) => salaryAt(valueAt(job, 'salary'))),
      own('minsalary, maxsalary', (job) =>
        salaryAt(job, { min: 'minsalary', max: 'maxsalary', currency: 'currency', period: 'salaryperiod' }),
      ),
    ],
    opportunityId: rows<'opportunityId'>(NAMES.id, String),
    atsJobUrl: rows<'atsJobUrl'>(NAMES.url, String),
  },
};

/** A row for each name, so that a value says which one it was read from. */
function rows<F extends SourceField>(
  names: readonly string[],
  read: (text: string) => SourceFields[F] | undefined,
): Row<F>[] {
  return names.map((name) =>
    own(name, (job) => {
      const [text] = textsAt(job, name);
      return text === undefined ? undefined : read(text);
    }),
  );
}

/** The text under the first of a field's names that has one; HTML that nobody escaped as it is written. */
function found(job: unknown, field: keyof typeof NAMES): string | undefined {
  const isHtml = field === 'description' || field === 'requirements';
  for (const name of NAMES[field]) {
    const [text] = textsAt(job, name);
    const source = text ?? (isHtml ? textAt(job, name, '#source') : undefined);
    if (source !== undefined) return source;
  }
  return undefined;
}
