import { PartnerError } from '../../contract/errors.ts';
import { andMore, fieldsOf, PROBLEMS_MAX, type Problem } from '../../contract/problems.ts';

/** VALIDATION_FAILED with the first 100 problems in `fields` (2.7); `more` counts those that are not in `problems`. */
export function validationFailed(problems: readonly Problem[], more = 0): PartnerError {
  const named = problems.slice(0, PROBLEMS_MAX);
  const fields = fieldsOf(named);
  const names = Object.keys(fields).join(', ') + andMore(more + problems.length - named.length);
  const isIncomplete = problems.every(({ kind }) => kind === 'incomplete');
  return new PartnerError('VALIDATION_FAILED', {
    message: isIncomplete ? `the listing is incomplete: ${names}` : `the input is invalid: ${names}`,
    fields,
  });
}

/** The job, if there is one. Throws NOT_FOUND, as for another company's job. */
export function foundJob<T>(id: number, job: T | undefined): T {
  if (job === undefined) throw new PartnerError('NOT_FOUND', { message: `there is no job ${id}` });
  return job;
}
