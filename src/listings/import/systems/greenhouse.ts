import { isObject } from '../../../contract/values.ts';
import type { SourcePlace, SourceQuestion, SourceSalary } from '../source-posting.ts';
import { near, own, ownRichText, ownText, type System } from '../system.ts';
import * as read from './values.ts';

const BOARDS = 'https://boards-api.greenhouse.io/v1/boards';
/** A company names its own fields, and chooses which of them its board shows. */
const WORKPLACE_NAME = /remote|workplace|work(?:ing)? (?:model|mode|style|arrangement|type)|location type/i;
const TYPE_NAME = /employment|commitment|time type|(?:job|work|worker|contract|position) type/i;
const LEVEL_NAME = /^(?:(?:job|career|experience|seniority) )?(?:level|seniority)$/i;
const WORKPLACE_WORD = /\b(?:remote|hybrid|on[- ]?site|in[- ]?(?:person|office))\b/i;

export const greenhouse: System = {
  title: 'Greenhouse',
  recognises: ({ json }) =>
    read.isKnownBy(read.postingsIn(json, 'jobs'), 'absolute_url', [
      'internal_job_id',
      'location',
      'content',
    ]) || read.numberAt(json, 'meta', 'total') === 0,
  postings: ({ json }) => read.postingsIn(json, 'jobs'),
  id: (posting) => read.textAt(posting, 'id'),
  table: {
    title: ownText('title'),
    description: ownRichText('content'),
    workplace: near('metadata', (posting) =>
      metadataAt(posting, WORKPLACE_NAME).find((text) => WORKPLACE_WORD.test(text)),
    ),
    places: [own('location.name', locationPlaces), near('offices[].location', officePlaces)],
    jobType: near('metadata', (posting) => metadataAt(posting, TYPE_NAME)),
    jobLevel: near('metadata', (posting) => metadataAt(posting, LEVEL_NAME)[0]),
    salaries: own('pay_input_ranges', (posting) => read.listAt(posting, 'pay_input_ranges').flatMap(salary)),
    questions: own('questions', questions),
    opportunityId: ownText('requisition_id', 'id'),
    atsJobUrl: ownText('absolute_url'),
  },
  boardUrl: (token) => `${BOARDS}/${token}/jobs?content=true&pay_transparency=true`,
  questionsUrl: (token, id) => `${BOARDS}/${token}/jobs/${id}?questions=true&pay_transparency=true`,
};

function metadataAt(posting: unknown, name: RegExp): readonly string[] {
  const entries = read
    .listAt(posting, 'metadata')
    .filter((entry) => name.test(read.textAt(entry, 'name') ?? ''));
  return entries.flatMap((entry) => {
    // A field of yes and no says its name where it is yes.
    const value = read.valueAt(entry, 'value');
    return read.textsAt(entry, value === true || value === 'Yes' ? 'name' : 'value');
  });
}

/** "Multiple Locations" says less than the offices do, where there are any. */
function locationPlaces(posting: unknown): SourcePlace[] {
  const text = read.textAt(posting, 'location', 'name');
  const isVague = /^(?:multiple|various|several|many)\b/i.test(text ?? '');
  return isVague && officePlaces(posting).length > 0 ? [] : read.placeOf({ text });
}

function officePlaces(posting: unknown): SourcePlace[] {
  return read
    .listAt(posting, 'offices')
    .flatMap((office) =>
      read.placeOf({ text: read.textAt(office, 'location') ?? read.textAt(office, 'name') }),
    );
}

function salary(range: unknown): SourceSalary[] {
  const dollars = (name: string) => (read.numberAt(range, name) ?? Number.NaN) / 100;
  const pay = { ...(isObject(range) ? range : {}), min: dollars('min_cents'), max: dollars('max_cents') };
  return read.salaryAt(pay, { min: 'min', max: 'max', currency: 'currency_type', label: 'title' });
}

function questions(posting: unknown): SourceQuestion[] {
  const asked = read.listAt(posting, 'questions').flatMap((entry) => question(entry, false));
  const legal = [
    ...read.listAt(posting, 'location_questions'),
    ...read.listAt(posting, 'compliance').flatMap((form) => read.listAt(form, 'questions')),
    ...read.listAt(posting, 'demographic_questions', 'questions'),
  ];
  return [...asked, ...legal.flatMap((entry) => question(entry, true))];
}

/** By its first field: a résumé has one for the file and one for its text. */
function question(entry: unknown, isReserved: boolean): SourceQuestion[] {
  const prompt = read.textAt(entry, 'label');
  if (prompt === undefined) return [];
  const [field] = read.listAt(entry, 'fields');
  const type = read.textAt(field, 'type') ?? read.textAt(entry, 'type') ?? '';
  const options = [...read.listAt(field, 'values'), ...read.listAt(entry, 'answer_options')];
  return [
    {
      prompt,
      type,
      options: options.flatMap((option) => read.textsAt(option, 'label')),
      isReserved: isReserved || type === 'input_hidden' || read.isHidden(entry),
    },
  ];
}
