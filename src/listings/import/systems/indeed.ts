import type { SourceQuestion } from '../source-posting.ts';
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
      near('remote', (job) => ['hybrid', 'remote', 'telecommute'].find((flag) => isTrue(job, flag))),
    ],
    remoteCountries: near('country', (job) => textsAt(job, 'country')),
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
    questions: own('indeed-apply-questions', (job) => questionsIn(inlineQuestions(job))),
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

function isTrue(job: unknown, flag: string): boolean {
  return /^(?:true|yes|1)$/i.test(textAt(job, flag) ?? '');
}

/** The JSON of the screener questions where the feed holds it; an address of them is not followed. */
function inlineQuestions(job: unknown): unknown {
  const applyData = new URLSearchParams(textAt(job, 'indeedapplydata') ?? '');
  const parameter = [...applyData].find(([name]) => name.trim().toLowerCase() === 'indeed-apply-questions');
  const element =
    textAt(job, 'indeedapplyquestions') ?? textAt(job, 'indeedapplydata', 'indeedapplyquestions');
  try {
    return JSON.parse(parameter?.[1] ?? element ?? '');
  } catch {
    return undefined;
  }
}

/** Schema 1.x has two sections; before, the questions were a bare list. */
function questionsIn(json: unknown): readonly SourceQuestion[] {
  const [own, reserved] = [valueAt(json, 'screenerQuestions') ?? json, valueAt(json, 'demographicQuestions')];
  return [own, reserved].flatMap((section) =>
    listAt(valueAt(section, 'questions') ?? section).flatMap((question) => {
      const [prompt, type = 'text'] = [textAt(question, 'question'), textAt(question, 'type')];
      if (prompt === undefined) return [];
      const isNumber =
        type === 'text' && /^(?:integer|decimal|numeric)/i.test(textAt(question, 'format') ?? '');
      const options = listAt(question, 'options').flatMap((option) => textAt(option, 'label') ?? []);
      return [{ prompt, type: isNumber ? 'number' : type, options, isReserved: section === reserved }];
    }),
  );
}
