import type { PartnerClient, ServerJob } from '../../client/client.ts';
import { CONTENT_REFUSALS, PartnerError } from '../../contract/errors.ts';
import type { JobInput } from '../../contract/job.ts';
import { hasEnded } from '../../contract/lifecycle.ts';
import { inPool } from '../../contract/promises.ts';
import { pickContent } from '../plan/content.ts';
import { type DesiredListing, decodeContent } from '../plan/desired-listing.ts';
import { entryAfterCreate } from '../plan/entry-after.ts';
import type { FoundJobs } from '../plan/rebuild.ts';
import { jobOrNone } from '../server-jobs.ts';
import type { Journal } from '../state/journal.ts';
import type { FieldDigests, Intent } from '../state/state.ts';
import type { PublishCircuitBreaker, RunStop } from './run-stop.ts';

export interface CreateParts {
  readonly client: PartnerClient;
  readonly journal: Journal;
  readonly gate: PublishCircuitBreaker;
  readonly onMade: (jobId: number) => void;
  /** Called before a repeated create is recorded, because another listing may use its key now. */
  readonly makeRoom: (intent: Intent) => void;
  /** Jobs of other listings. A replayed response may return one of them, which can't be used. */
  readonly claimed: Set<number>;
  readonly proven: Map<string, { readonly idempotencyKey: string; readonly job: ServerJob }>;
}

export interface PendingParts extends CreateParts {
  readonly stop: RunStop;
  readonly serverNow: () => number;
  readonly keyDigest: string;
  readonly concurrency: number;
}

export type CreateOutcome =
  | { readonly is: 'made'; readonly job: ServerJob; readonly isAdopted?: boolean; readonly error?: undefined }
  | { readonly is: 'refused' | 'unknown' | 'not-sent'; readonly error: PartnerError };

export async function sendCreate(
  intent: Intent,
  attempt: 'first' | 'repeat',
  parts: CreateParts,
  digests?: FieldDigests,
): Promise<CreateOutcome> {
  let outcome: CreateOutcome | undefined;
  const send = async (): Promise<void> => {
    if (attempt === 'first') await parts.journal.intend(intent);
    outcome = await attemptCreate(intent, attempt, parts, digests);
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

async function attemptCreate(
  intent: Intent,
  attempt: 'first' | 'repeat',
  { client, journal, onMade, makeRoom, claimed, proven }: CreateParts,
  digests?: FieldDigests,
): Promise<CreateOutcome> {
  const { key, idempotencyKey, name } = intent;
  const body = intent.body as JobInput;
  const known = proven.get(key)?.idempotencyKey === idempotencyKey ? proven.get(key)?.job : undefined;
  let isReplay = known !== undefined;
  const onReplay = (): void => {
    isReplay = true;
  };
  const create = () =>
    client.createJob(body, { idempotencyKey, onReplay }).finally(() => {
      // Records now that the server honors idempotency keys, because the run may be killed before its next create.
      if (client.traits.honoursIdempotencyKeys && !journal.content.honours)
        journal.record({ kind: 'honours' });
    });
  try {
    const job = known ?? (await create());
    const isAdopted = isReplay && attempt === 'first';
    // A replayed response shows the job as it was when another run created it.
    const now = isAdopted ? await jobOrNone(client, job.id) : job;
    const isOthers = isReplay && claimed.has(job.id);
    if (now === undefined || isOthers || (isAdopted && hasEnded(now.status)))
      throw new PartnerError('IDEMPOTENCY_CONFLICT');
    claimed.add(job.id);
    onMade(job.id);
    const entry = entryAfterCreate(pickContent(body), job, digests, name);
    if (attempt === 'repeat') makeRoom(intent);
    journal.record({ kind: 'made', key, idempotencyKey, job: job.id, entry });
    return { is: 'made', job: now, isAdopted };
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    // Even if this attempt failed, an earlier one may have created the job.
    const isOpen = attempt === 'repeat' && !CONTENT_REFUSALS.includes(error.code);
    if (error.mayHaveCreated || isOpen) return { is: 'unknown', error };
    journal.record({ kind: 'refused', key, idempotencyKey, code: error.code });
    return { is: 'refused', error };
  }
}

/** Returns whether other runs created these jobs with the listings' idempotency keys. Creates no jobs itself. */
export const buildProver =
  (keyOf: (wanted: DesiredListing) => string, { client, concurrency, proven, stop }: PendingParts) =>
  async (found: FoundJobs): Promise<boolean> => {
    if (client.traits.honoursIdempotencyKeys !== true) return false;
    const prove = async ({ wanted }: FoundJobs[number]): Promise<void> => {
      const idempotencyKey = keyOf(wanted);
      const send = (body: JobInput) =>
        client.createJob(body, { idempotencyKey }).catch((error: PartnerError) => error);
      // An incomplete listing is never published (section 3). The request causes a conflict only if the key was used.
      const refusal = await send({ publish: true });
      if ('id' in refusal) {
        const message = `the server published an incomplete listing. Close job ${refusal.id}`;
        throw new PartnerError('SERVER_FAILED', { message });
      }
      if (refusal.code !== 'IDEMPOTENCY_CONFLICT') return;
      const sent = await send({ ...decodeContent(wanted), ...(wanted.publish && { publish: true }) });
      const isSent = ({ wanted: { fingerprint }, job }: FoundJobs[number]) =>
        'id' in sent && job.id === sent.id && fingerprint === wanted.fingerprint;
      const job = found.find(isSent)?.job;
      if (job !== undefined) proven.set(wanted.key, { idempotencyKey, job });
    };
    await inPool(found.slice(0, 1), 1, prove);
    if (proven.size > 0) await inPool(found.slice(1), concurrency, prove);
    if (stop.reason !== undefined) throw stop.reason;
    return proven.size === found.length;
  };
