import { EMPTY_CONTENT, type JobContent } from '../../contract/job.ts';
import type { FieldDigests } from '../state/state.ts';
import { fieldDigests, wholeDigest } from './content.ts';

/**
 * What two listings have in common that hold the same, wherever one says that a field is empty and the other
 * leaves it out: how a job is told to be the one that a listing would become.
 */
export function contentFingerprint(digests: FieldDigests): string {
  const filled = Object.entries(digests).filter(
    ([field, digest]) => digest !== EMPTY_DIGESTS[field as keyof JobContent],
  );
  return wholeDigest(Object.fromEntries(filled));
}

const EMPTY_DIGESTS: FieldDigests = fieldDigests(EMPTY_CONTENT);
