import type { JobContent } from '../../../contract/job.ts';
import { formatDollars } from '../../../contract/money.ts';
import { JOB_LEVELS, JOB_TYPES, REMOTE_OPTIONS, SALARY_PERIODS } from '../../../contract/values.ts';

/** How a question is answered: by a line that is understood, by a value that is chosen, or by a dialogue of its own. */
type Asked =
  | { readonly as: 'line'; readonly takes: 'text' | 'dollars' | 'cents' }
  | { readonly as: 'block' }
  | { readonly as: 'choice'; readonly values: readonly string[] }
  | { readonly as: 'places' }
  | { readonly as: 'qualifications'; readonly kind: 'REQUIRED' | 'DESIRED' }
  | { readonly as: 'screening' }
  | { readonly as: 'caps' };

/** One question of the form. */
export interface FormQuestion<Name extends string = string> {
  readonly name: Name;
  readonly field: keyof JobContent;
  /** What answers it on the command line. */
  readonly flag: string;
  readonly words: string;
  readonly why: string;
  /** Whether a live listing needs it, once it is asked at all. */
  readonly isNeeded?: true;
  readonly asked: Asked;
  /** Whether it is asked, given the answers so far; always where there is none. */
  readonly applies?: (listing: JobContent) => boolean;
  /** Another field that an answer may be at odds with: the gap of that field keeps the question standing. */
  readonly against?: keyof JobContent;
  /** What is said then, in the form's own words. */
  readonly atOdds?: (listing: JobContent) => string;
}

const text = { as: 'line', takes: 'text' } as const;
const dollars = { as: 'line', takes: 'dollars' } as const;
const choice = (values: readonly string[]) => ({ as: 'choice', values }) as const;

/** The form: what is asked, in the order in which a person thinks of a job. */
export const QUESTIONS = [
  {
    name: 'title',
    field: 'title',
    flag: '--title',
    words: 'Title',
    why: 'what the job is called',
    isNeeded: true,
    asked: text,
  },
  {
    name: 'description',
    field: 'description',
    flag: '--description-file',
    words: 'Description',
    why: 'the listing itself, as candidates read it',
    isNeeded: true,
    asked: { as: 'block' },
  },
  {
    name: 'remoteOption',
    field: 'remoteOption',
    flag: '--remote-option',
    words: 'How is the work done?',
    why: 'from anywhere, at a place, or both',
    isNeeded: true,
    asked: choice(REMOTE_OPTIONS),
  },
  {
    name: 'remoteCountry',
    field: 'remoteCountry',
    flag: '--remote-country',
    words: 'In which country may people work?',
    why: 'one country, like United States',
    isNeeded: true,
    asked: text,
    applies: ({ remoteOption }) => remoteOption === 'REMOTE',
  },
  {
    name: 'locations',
    field: 'locations',
    flag: '--location',
    words: 'Where is it?',
    why: 'the city and its region, like Austin, TX',
    isNeeded: true,
    asked: { as: 'places' },
    applies: ({ remoteOption }) => remoteOption === 'HYBRID' || remoteOption === 'IN_PERSON',
  },
  {
    name: 'jobType',
    field: 'jobType',
    flag: '--job-type',
    words: 'What type of employment is it?',
    why: '',
    isNeeded: true,
    asked: choice(JOB_TYPES),
  },
  {
    name: 'jobLevel',
    field: 'jobLevel',
    flag: '--job-level',
    words: 'At which level?',
    why: '',
    isNeeded: true,
    asked: choice(JOB_LEVELS),
  },
  {
    name: 'salaryPeriod',
    field: 'salaryPeriod',
    flag: '--salary-period',
    words: 'What is the pay for?',
    why: '',
    isNeeded: true,
    asked: choice(SALARY_PERIODS),
  },
  {
    name: 'salaryMin',
    field: 'salaryMin',
    flag: '--salary-min',
    words: 'Pay from',
    why: 'whole dollars: 34, $34 or 85k',
    isNeeded: true,
    asked: dollars,
    applies: ({ salaryPeriod }) => salaryPeriod !== null,
  },
  {
    name: 'salaryMax',
    field: 'salaryMax',
    flag: '--salary-max',
    words: 'Pay up to',
    why: 'whole dollars; the same again where there is no range',
    isNeeded: true,
    asked: dollars,
    applies: ({ salaryMin }) => salaryMin !== null,
    against: 'salaryMin',
    atOdds: ({ salaryMin }) =>
      `"Pay up to" is below "Pay from": write ${formatDollars(salaryMin ?? 0)} or more, or go back to change that`,
  },
  {
    name: 'bid',
    field: 'bidPerQualifiedApplicantCents',
    flag: '--bid-cents',
    words: 'Your bid',
    why: 'what you pay for each qualified applicant, in dollars: 18 or 18.50',
    isNeeded: true,
    asked: { as: 'line', takes: 'cents' },
  },
  {
    name: 'required',
    field: 'qualifications',
    flag: '--required',
    words: 'Required qualifications',
    why: 'what an applicant must have to count as qualified, one at a time',
    isNeeded: true,
    asked: { as: 'qualifications', kind: 'REQUIRED' },
  },
  {
    name: 'desired',
    field: 'qualifications',
    flag: '--desired',
    words: 'Desired qualifications',
    why: 'what would help, one at a time',
    asked: { as: 'qualifications', kind: 'DESIRED' },
  },
  {
    name: 'questions',
    field: 'questions',
    flag: 'a job file',
    words: 'Screening questions',
    why: 'one at a time; name, email, phone, location and resume are collected anyway',
    asked: { as: 'screening' },
  },
  {
    name: 'budgets',
    field: 'budgets',
    flag: '--budget',
    words: 'Caps on what it may cost',
    why: 'no cap means unlimited',
    asked: { as: 'caps' },
  },
  {
    name: 'opportunityId',
    field: 'opportunityId',
    flag: '--opportunity-id',
    words: 'Opportunity id',
    why: "the opening's id on your ATS, if there is one",
    asked: text,
  },
  {
    name: 'atsJobUrl',
    field: 'atsJobUrl',
    flag: '--ats-job-url',
    words: 'ATS address',
    why: "the opening's page on your ATS, like https://ats.example/jobs/1",
    asked: text,
  },
] as const satisfies readonly FormQuestion[];

export type QuestionName = (typeof QUESTIONS)[number]['name'];

/** A question of the form by its name. */
export function questionOf(name: QuestionName): FormQuestion<QuestionName> {
  return QUESTIONS.find((question) => question.name === name) as FormQuestion<QuestionName>;
}
