import { MISFITS, type ServerJob } from '../client/server-job.ts';
import { PartnerError } from '../contract/errors.ts';
import { type BudgetInput, CONTENT_FIELDS, type JobContent, type JobInput } from '../contract/job.ts';
import { JOB_FIELDS, type ValueForm } from '../contract/job-fields.ts';
import { isEmpty } from '../contract/values.ts';

/**
 * Returns the input for creating the same job: its non-empty fields, without `publish`. Throws ANSWER_UNREADABLE if a
 * `needed` field has an unexpected type, because omitting it would lose data.
 */
export function toJobInput(job: ServerJob, needed: readonly (keyof JobContent)[] = CONTENT_FIELDS): JobInput {
  const misfit = needed.find((field) => job[MISFITS]?.includes(field));
  if (misfit !== undefined) throw createUnusableError(job, `its \`${misfit}\` has an unexpected type`);
  const filled = CONTENT_FIELDS.filter((field) => !isEmpty(job[field]));
  return Object.fromEntries(filled.map((field) => [field, toSentValue(job[field], JOB_FIELDS[field])]));
}

function toSentValue(value: unknown, { entry }: ValueForm): unknown {
  if (!Array.isArray(value)) return value;
  const parts = Object.entries(entry?.parts ?? {});
  return value.map((given) => {
    const sent = parts.filter(([name, { isOptional }]) => !isOptional || !isEmpty(given[name]));
    return Object.fromEntries(sent.map(([name]) => [name, given[name]]));
  });
}

/** Returns a job's caps in the form to send. Throws ANSWER_UNREADABLE if the job doesn't have a `budgets` field. */
export function readBudgets(job: ServerJob): BudgetInput[] {
  const { budgets = [] } = toJobInput(job, ['budgets']);
  if (job.budgets === undefined) throw createUnusableError(job, 'it has no `budgets`');
  return budgets;
}

function createUnusableError({ id }: ServerJob, why: string): PartnerError {
  return new PartnerError('ANSWER_UNREADABLE', {
    message: `can't use job ${id} as the server returned it: ${why}`,
  });
}
