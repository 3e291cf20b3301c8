import { MISFITS, type ServerJob } from '../client/server-job.ts';
import { PartnerError } from '../contract/errors.ts';
import {
  type BudgetInput,
  CONTENT_FIELDS,
  type Job,
  type JobContent,
  type JobInput,
} from '../contract/job.ts';
import { locationInput } from '../listings/places/locations.ts';

/**
 * The JobInput that makes a job like this one: the fields that are sent and hold something, in the specification's
 * order, without `publish`. Throws ANSWER_UNREADABLE where the server answered one that is `needed` in another type than
 * the contract's: to leave it out would drop it.
 */
export function jobInputOf(job: ServerJob, needed: readonly (keyof JobContent)[] = CONTENT_FIELDS): JobInput {
  const misfit = needed.find((field) => job[MISFITS]?.includes(field));
  if (misfit !== undefined) throw unusable(job, `its \`${misfit}\` is of another type than the API's`);
  const {
    locations = [],
    qualifications = [],
    questions = [],
    budgets = [],
  } = job as unknown as Partial<Job>;
  const content = {
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

/** The caps that a job has, as they are sent again. Throws ANSWER_UNREADABLE where the server does not say. */
export function standingBudgets(job: ServerJob): BudgetInput[] {
  const { budgets = [] } = jobInputOf(job, ['budgets']);
  if (job.budgets === undefined) throw unusable(job, 'it has no `budgets`');
  return budgets;
}

function unusable({ id }: ServerJob, why: string): PartnerError {
  return new PartnerError('ANSWER_UNREADABLE', {
    message: `the server's job ${id} cannot be used: ${why}`,
  });
}

export function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
