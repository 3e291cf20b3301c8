import { PartnerError } from '../contract/errors.ts';
import { type BudgetInput, CONTENT_FIELDS, type Job, type JobInput } from '../contract/job.ts';
import { locationInput } from './places/locations.ts';

/**
 * The JobInput that makes a job like this one: the fields that are sent and hold something, in the
 * specification's order, without what only the server knows. `publish` is left to whoever creates it. A
 * server may have left fields out.
 */
export function jobInputOf(job: Readonly<Record<string, unknown>>): JobInput {
  const { locations, qualifications, questions, budgets } = listsOf(job);
  const content: JobInput = {
    ...job,
    locations: locations.map(locationInput),
    qualifications: qualifications.map(({ text, kind, order }) => ({ text, kind, order })),
    questions: questions.map(({ prompt, answerFormat, options, order }) => ({
      prompt,
      answerFormat,
      ...(isEmpty(options) ? {} : { options }),
      order,
    })),
    budgets: budgets.map(({ window, budgetCents, notes }) => ({
      window,
      budgetCents,
      ...(isEmpty(notes) ? {} : { notes }),
    })),
  };
  const filled = CONTENT_FIELDS.filter((field) => !isEmpty(content[field]));
  return Object.fromEntries(filled.map((field) => [field, content[field]])) as JobInput;
}

/**
 * The caps that a job has, as they are sent again. Throws ANSWER_UNREADABLE where the server does not say:
 * to take that for none would drop them.
 */
export function standingBudgets(job: Readonly<Record<string, unknown>>): BudgetInput[] {
  if (job.budgets === undefined) throw notAList(job, 'budgets');
  return jobInputOf(job).budgets ?? [];
}

/** The fields of a job that are lists of objects. */
const LISTS = ['locations', 'qualifications', 'questions', 'budgets'] as const;

/** Empty where the server left one out. Throws ANSWER_UNREADABLE where one is something else. */
function listsOf(job: Readonly<Record<string, unknown>>): Pick<Job, (typeof LISTS)[number]> {
  const lists = LISTS.map((field) => {
    const list = job[field] ?? [];
    if (!isListOfObjects(list)) throw notAList(job, field);
    return [field, list];
  });
  return Object.fromEntries(lists);
}

function isListOfObjects(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((entry) => typeof entry === 'object' && entry !== null && !Array.isArray(entry))
  );
}

function notAList({ id }: Readonly<Record<string, unknown>>, field: string): PartnerError {
  return new PartnerError('ANSWER_UNREADABLE', {
    message: `the server's job ${String(id)} cannot be used: its \`${field}\` is no list of objects`,
  });
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
