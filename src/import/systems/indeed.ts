import { near, own, remoteFlag, type System } from '../system.ts';
import * as read from './values.ts';

/** Documented at https://docs.indeed.com (XML feed). Other boards use the same format with different element names. */
const ID = ['referencenumber', 'reference', 'requisitionid', 'partnerjobid', 'jobid', 'id', '@id', 'guid'];
const TITLE = ['title', 'jobtitle', 'name'];
const URLS = ['url', 'link', 'applyurl', 'joburl'];
const DESCRIPTION = ['description', 'descriptionrequirements', 'jobdescription', 'body', 'content'];

const PAY_NAMES = { ...read.PAY_NAMES, min: 'minsalary', max: 'maxsalary', period: 'salaryperiod' };

export const indeed: System = {
  title: 'Indeed XML',
  recognises: ({ xml }) => {
    if (xml?.root === 'source') return true;
    const [job] = xml?.elements('job') ?? [];
    return read.getTexts(job, ...TITLE).length > 0 && read.getTexts(job, ...ID, ...URLS).length > 0;
  },
  postings: ({ xml }) => xml?.elements('job') ?? [],
  id: (job) => read.getTexts(job, ...ID)[0],
  table: {
    title: TITLE,
    description: own('description', (job) => [
      ...read.richText(markup(job, DESCRIPTION)),
      ...read.requirements(markup(job, ['requirements', 'jobqualification']), 'Requirements'),
    ]),
    department: ['department', near('category')],
    workplace: ['remotetype', 'workplacetypes', 'workplacetype', remoteFlag('remote')],
    places: own('locationdescription, city, state, country', (job) =>
      read.readPlaces(job, read.getList(job, 'locations.location'), ['location', 'locationdescription']),
    ),
    jobType: [
      ...['jobtype', 'contracttype', 'employmenttype', 'type'],
      own('positiontype, hours', (job) => read.getTexts(job, 'positiontype', 'hours')),
    ],
    jobLevel: ['experiencelevel', 'seniority', 'experience', 'jobexperience'].map((name) => near(name)),
    salaries: [
      ...['salary', 'jobsalary', 'compensation', 'salarydescription'],
      own('salary.min, salary.max', (job) => read.readSalary(read.getValue(job, 'salary'))),
      own('minsalary, maxsalary', (job) => read.readSalary(job, PAY_NAMES)),
    ],
    opportunityId: ID,
    atsJobUrl: URLS,
  },
};

/** Unescaped HTML is parsed as XML elements, so their source text is used. */
function markup(job: unknown, names: readonly string[]): string | undefined {
  return read.getTexts(job, ...names, ...names.map((name) => `${name}.#source`))[0];
}
