import { isObject } from '../../contract/values.ts';
import type { SourcePlace, SourceQuestion, SourceSalary } from '../source-posting.ts';
import { near, own, readEach, type System } from '../system.ts';
import * as read from './values.ts';

const BOARDS = 'https://boards-api.greenhouse.io/v1/boards';
/** Companies define their own fields, so a field's meaning is detected from its name. */
const WORKPLACE_NAME = /remote|workplace|work(?:ing)? (?:model|mode|style|arrangement|type)|location type/i;
const TYPE_NAME = /employment|commitment|time type|(?:job|work|worker|contract|position) type/i;
const LEVEL_NAME = /^(?:(?:job|career|experience|seniority) )?(?:level|seniority)$/i;
const WORKPLACE_WORD = /\b(?:remote|hybrid|on[- ]?site|in[- ]?(?:person|office))\b/i;

export const greenhouse: System = {
  title: 'Greenhouse',
  recognises({ json }) {
    const jobs = read.listPostings(json, 'jobs');
    const isBoard = read.hasFields(jobs, 'absolute_url', ['internal_job_id', 'location', 'content']);
    return isBoard || read.getNumber(json, 'meta.total') === 0;
  },
  postings: ({ json }) => read.listPostings(json, 'jobs'),
  total: ({ json }) => read.getNumber(json, 'meta.total'),
  id: (posting) => read.getText(posting, 'id'),
  table: {
    title: 'title',
    description: 'content',
    department: own('departments', (posting) =>
      read
        .getList(posting, 'departments')
        .flatMap((one) => read.getText(one, 'name') ?? [])
        .join(', '),
    ),
    workplace: near('metadata', (posting) =>
      getMetadata(posting, WORKPLACE_NAME).find((text) => WORKPLACE_WORD.test(text)),
    ),
    places: [own('location.name', locationPlaces), near('offices[].location', officePlaces)],
    jobType: near('metadata', (posting) => getMetadata(posting, TYPE_NAME)),
    jobLevel: near('metadata', (posting) => getMetadata(posting, LEVEL_NAME)[0]),
    salaries: readEach('pay_input_ranges', salary),
    questions: own('questions', questions),
    opportunityId: ['requisition_id', 'id'],
    atsJobUrl: 'absolute_url',
  },
  boardUrl: (token) => `${BOARDS}/${token}/jobs?content=true&pay_transparency=true`,
  questionsUrl: (token, id) => `${BOARDS}/${token}/jobs/${id}?questions=true&pay_transparency=true`,
};

function getMetadata(posting: unknown, name: RegExp): readonly string[] {
  const entries = read
    .getList(posting, 'metadata')
    .filter((entry) => name.test(read.getText(entry, 'name') ?? ''));
  return entries.flatMap((entry) => {
    const value = read.getValue(entry, 'value');
    return read.getTexts(entry, value === true || value === 'Yes' ? 'name' : 'value');
  });
}

/** Ignores a location such as "Multiple Locations" if there are offices, which are more specific. */
function locationPlaces(posting: unknown): SourcePlace[] {
  const text = read.getText(posting, 'location.name');
  const isVague = /^(?:multiple|various|several|many)\b/i.test(text ?? '');
  return isVague && officePlaces(posting).length > 0 ? [] : read.toPlaces({ text });
}

function officePlaces(posting: unknown): SourcePlace[] {
  return read
    .getList(posting, 'offices')
    .flatMap((office) => read.toPlaces({ text: read.getText(office, 'location', 'name') }));
}

function salary(range: unknown): SourceSalary[] {
  const dollars = (name: string) => (read.getNumber(range, name) ?? Number.NaN) / 100;
  const pay = { ...(isObject(range) ? range : {}), min: dollars('min_cents'), max: dollars('max_cents') };
  return read.readSalary(pay, { min: 'min', max: 'max', currency: 'currency_type', label: 'title' });
}

function questions(posting: unknown): SourceQuestion[] {
  const asked = read.getList(posting, 'questions').flatMap((entry) => question(entry, false));
  const legal = [
    ...read.getList(posting, 'location_questions'),
    ...read.getList(posting, 'compliance').flatMap((form) => read.getList(form, 'questions')),
    ...read.getList(posting, 'demographic_questions.questions'),
  ];
  return [...asked, ...legal.flatMap((entry) => question(entry, true))];
}

/** Only the first field counts, because a résumé question has one for the file and one for its text. */
function question(entry: unknown, isReserved: boolean): SourceQuestion[] {
  const prompt = read.getText(entry, 'label');
  if (prompt === undefined) return [];
  const [field] = read.getList(entry, 'fields');
  const type = read.getText(field, 'type') ?? read.getText(entry, 'type') ?? '';
  const options = [...read.getList(field, 'values'), ...read.getList(entry, 'answer_options')];
  return [
    {
      prompt,
      type,
      options: options.flatMap((option) => read.getTexts(option, 'label')),
      isReserved: isReserved || type === 'input_hidden' || read.isHidden(entry),
    },
  ];
}
