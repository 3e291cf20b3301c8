import type { JobContent } from '../../../contract/job.ts';
import { JOB_LEVELS, JOB_TYPES, REMOTE_OPTIONS, SALARY_PERIODS } from '../../../contract/values.ts';
import { flagFor } from '../../../listings/flag-values.ts';

/** How a question is answered: by a line that is understood, by a value that is chosen, or by a dialogue of its own. */
type Asked =
  | { readonly as: 'line'; readonly takes: 'text' | 'dollars' | 'cents' }
  | { readonly as: 'block' }
  | { readonly as: 'choice'; readonly values: readonly string[] }
  | { readonly as: 'places' }
  | { readonly as: 'qualifications'; readonly kind: 'REQUIRED' | 'DESIRED' }
  | { readonly as: 'screening' }
  | { readonly as: 'caps' };

interface Options {
  /** The field that is asked for, where that is not the question's name. */
  readonly field?: keyof JobContent;
  /** What answers it on the command line, where that is not the field's first flag. */
  readonly flag?: string;
  /** Whether a live listing needs it, once it is asked at all. */
  readonly isNeeded?: boolean;
  /** Whether it is asked, given the answers so far; always where there is none. */
  readonly applies?: (listing: JobContent) => boolean;
}

const text = { as: 'line', takes: 'text' } as const;
const dollars = { as: 'line', takes: 'dollars' } as const;
const choice = (values: readonly string[]) => ({ as: 'choice', values }) as const;

function optional(words: string, why: string, asked: Asked, options: Options = {}) {
  return { words, why, asked, ...options };
}

function needed(words: string, why: string, asked: Asked, options: Options = {}) {
  return optional(words, why, asked, { isNeeded: true, ...options });
}

/** What is asked, in the order in which a person thinks of a job. */
const FORM = {
  title: needed('Title', 'what the job is called', text),
  description: needed(
    'Description',
    'the listing itself, as candidates read it',
    { as: 'block' },
    { flag: '--description-file' },
  ),
  remoteOption: needed('How is the work done?', 'from anywhere, at a place, or both', choice(REMOTE_OPTIONS)),
  remoteCountry: needed('In which country may people work?', 'one country, like United States', text, {
    applies: ({ remoteOption }) => remoteOption === 'REMOTE',
  }),
  locations: needed(
    'Where is it?',
    'the city and its region, like Austin, TX',
    { as: 'places' },
    { applies: ({ remoteOption }) => remoteOption === 'HYBRID' || remoteOption === 'IN_PERSON' },
  ),
  jobType: needed('What type of employment is it?', '', choice(JOB_TYPES)),
  jobLevel: needed('At which level?', '', choice(JOB_LEVELS)),
  salaryPeriod: needed('What is the pay for?', '', choice(SALARY_PERIODS)),
  salaryMin: needed('Pay from', 'whole dollars: 34, $34 or 85k', dollars, {
    applies: ({ salaryPeriod }) => salaryPeriod !== null,
  }),
  salaryMax: needed('Pay up to', 'whole dollars; the same again where there is no range', dollars, {
    applies: ({ salaryMin }) => salaryMin !== null,
  }),
  bid: needed(
    'Your bid',
    'what you pay for each qualified applicant, in dollars: 18 or 18.50',
    { as: 'line', takes: 'cents' },
    { field: 'bidPerQualifiedApplicantCents' },
  ),
  required: needed(
    'Required qualifications',
    'what an applicant must have to count as qualified, one at a time',
    { as: 'qualifications', kind: 'REQUIRED' },
    { field: 'qualifications' },
  ),
  desired: optional(
    'Desired qualifications',
    'what would help, one at a time',
    { as: 'qualifications', kind: 'DESIRED' },
    { field: 'qualifications', flag: '--desired' },
  ),
  questions: optional(
    'Screening questions',
    'one at a time; name, email, phone, location and resume are collected anyway',
    { as: 'screening' },
    { flag: 'a job file' },
  ),
  budgets: optional(
    'Caps on what it may cost',
    'a period and dollars, one at a time: daily 50, weekly 200, monthly 900 or lifetime 5000; no cap means unlimited',
    { as: 'caps' },
  ),
  opportunityId: optional('Opportunity id', "the opening's id on your ATS, if there is one", text),
  atsJobUrl: optional('ATS address', "the opening's page on your ATS, like https://ats.example/jobs/1", text),
};

export type QuestionName = keyof typeof FORM;

export interface Question extends Options {
  readonly name: QuestionName;
  readonly field: keyof JobContent;
  readonly flag: string;
  readonly words: string;
  readonly why: string;
  readonly asked: Asked;
}

export const QUESTIONS: readonly Question[] = Object.entries(FORM).map(([name, question]) => {
  const field = question.field ?? (name as keyof JobContent);
  const flag = flagFor(field)?.split(' ')[0] ?? '';
  return { flag, ...question, name: name as QuestionName, field };
});

/** The words of a question, and what answers it where nobody can be asked. */
export function wordsOf({ words, why, isNeeded, flag }: Question) {
  return {
    question: words,
    why: [why, isNeeded ? 'needed to go live' : undefined].filter(Boolean).join(' · '),
    flag,
  };
}

export function passedWords({ isNeeded }: Question): string {
  return isNeeded ? 'skipped for now: needed to go live' : 'skipped';
}

export function questionOf(name: QuestionName): Question {
  return QUESTIONS.find((question) => question.name === name) as Question;
}
