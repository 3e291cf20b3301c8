import type { PartnerClient, ServerJob } from '../../client/client.ts';
import { CONTENT_REFUSALS, PartnerError } from '../../contract/errors.ts';
import type { JobInput } from '../../contract/job.ts';
import { isOver } from '../../contract/lifecycle.ts';
import { wantedContent } from '../plan/content.ts';
import { entryAfterCreate } from '../plan/entry-after.ts';
import { jobOrNone } from '../server-jobs.ts';
import type { Journal } from '../state/journal.ts';
import type { FieldDigests, Intent } from '../state/state.ts';
import type { PublishCircuitBreaker, RunStop } from './run-stop.ts';

export interface CreateParts {
  readonly client: PartnerClient;
  readonly journal: Journal;
  readonly gate: PublishCircuitBreaker;
  /** Called for each job that was made, before anything else is done with it. */
  readonly onMade: (jobId: number) => void;
  /** Called before the job of a repeated create is remembered: another listing may stand at its key by now. */
  readonly makeRoom: (intent: Intent) => void;
  /** Whether another listing of the state has the job. */
  readonly isClaimed: (jobId: number) => boolean;
}

export interface PendingParts extends CreateParts {
  readonly stop: RunStop;
  readonly serverNow: () => number;
  readonly keyDigest: string;
  readonly concurrency: number;
}

/** `unknown`: the job may or may not exist. */
export type CreateOutcome =
  | { readonly is: 'made'; readonly job: ServerJob; readonly isAdopted?: boolean; readonly error?: undefined }
  | { readonly is: 'refused' | 'unknown' | 'not-sent'; readonly error: PartnerError };

/** Sends a create and records its outcome. A repeat has the key of the first attempt, so that the server takes both for one. */
export async function sendCreate(
  intent: Intent,
  attempt: 'first' | 'repeat',
  parts: CreateParts,
  digests?: FieldDigests,
): Promise<CreateOutcome> {
  let outcome: CreateOutcome | undefined;
  const send = async (): Promise<void> => {
    if (attempt === 'first') await parts.journal.intend(intent);
    outcome = await outcomeOf(intent, attempt, parts, digests);
    if (outcome.is === 'refused') throw outcome.error;
  };
  try {
    await (intent.body.publish === true ? parts.gate.pass(send) : send());
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    outcome ??= { is: 'not-sent', error };
  }
  return outcome as CreateOutcome;
}

async function outcomeOf(
  intent: Intent,
  attempt: 'first' | 'repeat',
  { client, journal, onMade, makeRoom, isClaimed }: CreateParts,
  digests?: FieldDigests,
): Promise<CreateOutcome> {
  const { key, idempotencyKey, name } = intent;
  const body = intent.body as JobInput;
  let isReplay = false;
  const onReplay = (): void => {
    isReplay = true;
  };
  try {
    const job = await client.createJob(body, { idempotencyKey, onReplay }).finally(() => {
      // At once: a run that is killed and has nothing else to create would not learn it again.
      if (client.traits.honoursIdempotencyKeys && !journal.content.honours)
        journal.record({ kind: 'honours' });
    });
    const isAdopted = isReplay && attempt === 'first';
    // The replayed answer shows the job as it was when another run created it.
    const now = isAdopted ? await jobOrNone(client, job.id) : job;
    const isOthers = isReplay && isClaimed(job.id);
    if (now === undefined || isOthers || (isAdopted && isOver(now.status)))
      throw new PartnerError('IDEMPOTENCY_CONFLICT');
    onMade(job.id);
    const entry = entryAfterCreate(wantedContent(body), job, digests, name);
    if (attempt === 'repeat') makeRoom(intent);
    journal.record({ kind: 'made', key, idempotencyKey, job: job.id, entry });
    return { is: 'made', job: now, isAdopted };
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    // An earlier attempt may have made the job, whatever became of this one.
    const isOpen = attempt === 'repeat' && !CONTENT_REFUSALS.includes(error.code);
    if (error.mayHaveCreated || isOpen) return { is: 'unknown', error };
    journal.record({ kind: 'refused', key, idempotencyKey, code: error.code });
    return { is: 'refused', error };
  }
}
