import { PartnerError } from '../../contract/errors.ts';
import { andMore, PROBLEMS_MAX, type Problem, toFields } from '../../contract/problems.ts';

/** Lists the first 100 problems in `fields` (2.7). `more` counts problems that aren't in `problems`. */
export function validationFailed(problems: readonly Problem[], more = 0): PartnerError {
  const named = problems.slice(0, PROBLEMS_MAX);
  const fields = toFields(named);
  const names = Object.keys(fields).join(', ') + andMore(more + problems.length - named.length);
  const isIncomplete = problems.every(({ kind }) => kind === 'incomplete');
  return new PartnerError('VALIDATION_FAILED', {
    message: isIncomplete ? `incomplete listing: ${names}` : `invalid input: ${names}`,
    fields,
  });
}

/** Throws NOT_FOUND if the job is undefined, which includes another company's job. */
export function assertJobFound<T>(id: number, job: T | undefined): T {
  if (job === undefined) throw new PartnerError('NOT_FOUND', { message: `job ${id} not found` });
  return job;
}
