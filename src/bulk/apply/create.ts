import type { PartnerClient, ServerJob } from '../../client/client.ts';
import { type ErrorCode, PartnerError } from '../../contract/errors.ts';
import type { JobInput } from '../../contract/job.ts';
import { wantedContent } from '../plan/content.ts';
import { entryAfterCreated } from '../plan/entry-after.ts';
import type { Journal } from '../state/journal.ts';
import type { FieldDigests, Intent } from '../state/state.ts';

export interface CreateParts {
  readonly client: PartnerClient;
  readonly journal: Journal;
  /** Is told of each job that was made, before anything else is done with it. */
  readonly onMade: (jobId: number) => void;
}

/** What came of a create: a job, a refusal, or nothing that can be known. */
export type CreateOutcome =
  | { readonly made: ServerJob }
  | { readonly refused: PartnerError }
  | { readonly unknown: PartnerError };

/**
 * What a server that honours keys says of a create only where no attempt under its key has made the job. Any
 * other refusal is of this attempt alone: a key that was revoked says nothing of what was sent before.
 */
const OF_ALL_ATTEMPTS: readonly ErrorCode[] = [
  'VALIDATION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYMENT_METHOD_REQUIRED',
  'AGREEMENT_OUTDATED',
];

/**
 * Sends the create of an intent that is in the journal already, and writes down what came of it. A first
 * attempt and one in a later run are this same call: the key says to the server that they are one. Of
 * a `repeat` an earlier attempt may have made the job, whatever befalls this one. `digests` are those of
 * the content, where they are at hand.
 */
export async function createFrom(
  intent: Intent & { readonly digests?: FieldDigests | undefined },
  { client, journal, onMade }: CreateParts,
  repeat?: { readonly makeRoom: (intent: Intent) => void },
): Promise<CreateOutcome> {
  const { key, idempotencyKey, body, digests } = intent;
  try {
    const job = await client.createJob(body as JobInput, { idempotencyKey }).finally(() => {
      // At once: a run that is killed and has nothing else to create would not learn it again.
      if (client.traits.honoursIdempotencyKeys && !journal.content.honours)
        journal.record({ kind: 'honours' });
    });
    onMade(job.id);
    const entry = entryAfterCreated(wantedContent(body as JobInput), job, digests);
    repeat?.makeRoom(intent);
    journal.record({ kind: 'made', key, idempotencyKey, job: job.id, entry });
    return { made: job };
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    if (error.mayHaveCreated || (repeat !== undefined && !OF_ALL_ATTEMPTS.includes(error.code)))
      return { unknown: error };
    journal.record({ kind: 'refused', key, idempotencyKey, code: error.code });
    return { refused: error };
  }
}
