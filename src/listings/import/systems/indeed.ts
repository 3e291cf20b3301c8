import { near, own, type System } from '../system.ts';
import {
  listAt,
  placesIn,
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
  id: ['referencenumber', 'reference', 'requisitionid', 'partnerjobid', 'jobid', 'id', 'guid'],
  title: ['title', 'jobtitle', 'name'],
  description: ['description', 'descriptionrequirements', 'body', 'content'],
  requirements: ['requirements', 'jobqualification'],
  workplace: ['remotetype', 'workplacetypes', 'workplacetype'],
  jobType: ['jobtype', 'contracttype', 'employmenttype', 'type'],
  jobLevel: ['experiencelevel', 'seniority', 'experience', 'jobexperience'],
  salary: ['salary', 'jobsalary', 'compensation'],
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
    title: own('title', (job) => found(job, 'title')),
    description: own('description', (job) => [
      ...richText(found(job, 'description')),
      ...richText(found(job, 'requirements'), 'Requirements'),
    ]),
    workplace: [
      own('remotetype', (job) => found(job, 'workplace')),
      near('remote', (job) => (textAt(job, 'remote') === 'true' ? 'remote' : undefined)),
    ],
    places: own('city, state, country', (job) => placesIn(job, listAt(job, 'locations', 'location'))),
    jobType: own('jobtype', (job) => termsIn(found(job, 'jobType'))),
    jobLevel: near('experience', (job) => found(job, 'jobLevel')),
    salaries: [
      own('salary', (job) => salaryTexts(found(job, 'salary'))),
      own('salary.min, salary.max', (job) => salaryAt(valueAt(job, 'salary'))),
      own('minsalary, maxsalary', (job) =>
        salaryAt(job, { min: 'minsalary', max: 'maxsalary', currency: 'currency', period: 'salaryperiod' }),
      ),
    ],
    opportunityId: own('referencenumber', (job) => found(job, 'id')),
    atsJobUrl: own('url', (job) => found(job, 'url')),
  },
};

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
