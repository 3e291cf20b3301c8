import { CONTENT_FIELDS, type Job, type JobInput } from '../contract/job.ts';
import { locationInput } from './locations.ts';

/**
 * The JobInput that makes a job like this one: the fields that are sent and hold something, in the
 * specification's order, without what only the server knows. `publish` is left to whoever creates it. A
 * server may have left fields out.
 */
export function jobInputOf(answer: Readonly<Record<string, unknown>>): JobInput {
  const job: Partial<Job> = answer;
  const content: JobInput = {
    ...job,
    locations: (job.locations ?? []).map(locationInput),
    qualifications: (job.qualifications ?? []).map(({ text, kind, order }) => ({ text, kind, order })),
    questions: (job.questions ?? []).map(({ prompt, answerFormat, options = [], order }) => ({
      prompt,
      answerFormat,
      ...(options.length === 0 ? {} : { options }),
      order,
    })),
    budgets: (job.budgets ?? []).map(({ window, budgetCents, notes }) => ({
      window,
      budgetCents,
      ...(isEmpty(notes) ? {} : { notes }),
    })),
  };
  const filled = CONTENT_FIELDS.filter((field) => !isEmpty(content[field]));
  return Object.fromEntries(filled.map((field) => [field, content[field]])) as JobInput;
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
