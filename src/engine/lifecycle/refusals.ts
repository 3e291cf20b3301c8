import { PartnerError } from '../../contract/errors.ts';
import { fieldsOf, type Problem } from '../../contract/problems.ts';

/** 422 VALIDATION_FAILED with every problem in `fields` (2.7). */
export function validationFailed(problems: readonly Problem[]): PartnerError {
  const fields = fieldsOf(problems);
  const names = Object.keys(fields).join(', ');
  const isIncomplete = problems.every(({ kind }) => kind === 'incomplete');
  return new PartnerError('VALIDATION_FAILED', {
    message: isIncomplete ? `the listing is incomplete: ${names}` : `the input is invalid: ${names}`,
    fields,
  });
}

/** The job that was looked up by its id. Throws NOT_FOUND, the same for another company's job. */
export function foundJob<T>(id: number, job: T | undefined): T {
  if (job === undefined) throw new PartnerError('NOT_FOUND', { message: `there is no job ${id}` });
  return job;
}
