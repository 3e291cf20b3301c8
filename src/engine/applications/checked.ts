import { type ApplicationInput, ApplicationInputSchema, fitProblems } from '../../contract/application.ts';
import { checkApplicationInput } from '../../contract/check.ts';
import type { Job } from '../../contract/job.ts';
import { validationFailed } from '../lifecycle/refusals.ts';

const FITTED = ApplicationInputSchema.pick({ answers: true, meets: true });

/**
 * An application in the form of the contract. Throws VALIDATION_FAILED with everything that is wrong at once: where
 * the form is, also what does not fit the job.
 */
export function checkedApplication(
  value: unknown,
  asks: Pick<Job, 'questions' | 'qualifications'>,
): ApplicationInput {
  const checked = checkApplicationInput(value);
  if (checked.ok) return checked.value;
  const { answers, meets } = (value ?? {}) as { answers?: unknown; meets?: unknown };
  const fitted = FITTED.safeParse({ answers, meets }, { jitless: true });
  const unfit = fitted.success ? fitProblems(fitted.data, asks) : [];
  throw validationFailed([...checked.problems, ...unfit], checked.more);
}
