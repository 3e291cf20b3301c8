import { ERRORS, type PartnerError } from '../contract/errors.ts';
import { EXIT } from '../contract/exit-codes.ts';

/** The exit code of a batch, from what became of each of its parts: undefined is success. */
export function batchExit(outcomes: readonly (PartnerError | undefined)[]): number {
  const failed = outcomes.filter((error) => error !== undefined);
  if (failed.some((error) => error.code === 'INTERRUPTED')) return ERRORS.INTERRUPTED.exit;
  if (failed.length === 0) return EXIT.done;
  return failed.length === outcomes.length ? EXIT.allFailed : EXIT.someFailed;
}
