import type { PartnerClient } from '../../client/client.ts';
import { differencesFromCreate } from '../../contract/entries.ts';
import { ignoreErrors, PartnerError } from '../../contract/errors.ts';
import type { JobInput } from '../../contract/job.ts';
import { hasEnded } from '../../contract/lifecycle.ts';
import { inPool } from '../../contract/promises.ts';
import { IDEMPOTENCY_MS } from '../../contract/values.ts';
import { contentFingerprint, fieldDigests, pickContent } from '../plan/content.ts';
import { buildUnlistedKey, createKeyError, decodeContent } from '../plan/desired-listing.ts';
import { matchListings } from '../plan/match.ts';
import type { Plan } from '../plan/plan-item.ts';
import { entryOfReclaimed } from '../plan/rebuild.ts';
import type { SetReading } from '../read-set.ts';
import { jobOrNone, loadUnclaimedJobs, type UnclaimedJobs } from '../server-jobs.ts';
import type { Session } from '../session.ts';
import type { Journal } from '../state/journal.ts';
import type { BulkState, Intent } from '../state/state.ts';
import { type CreateOutcome, type CreateParts, type PendingParts, sendCreate } from './create.ts';
import { completeCreate } from './execute.ts';
import type { ItemOutcome } from './outcome.ts';

const CLOCKS_APART_MS = 60 * 60 * 1000;
/** Idempotency keys expire after 24 hours (decision 27). The margin allows for clock differences. */
const REPEATABLE_MS = IDEMPOTENCY_MS - CLOCKS_APART_MS;

/** Repeats pending creates with their own keys if that can't create duplicates. Other creates stay unknown. */
export async function resolvePending(pending: Iterable<Intent>, parts: PendingParts) {
  const resolved = new Map<string, CreateOutcome>();
  await inPool([...pending], parts.concurrency, async (intent) => {
    resolved.set(intent.key, await resolveOne(intent, parts));
  });
  return resolved;
}

async function resolveOne(intent: Intent, parts: PendingParts): Promise<CreateOutcome> {
  const { stop } = parts;
  if (!isRepeatable(intent, parts, parts.serverNow())) return unknownOutcome(intent, parts);
  if (stop.reason !== undefined) return unknownOutcome(intent, parts, stop.reason);
  const outcome = await sendCreate(intent, 'repeat', parts);
  stop.note(outcome.error);
  if (outcome.is === 'made' || outcome.is === 'refused') return outcome;
  return unknownOutcome(intent, parts, outcome.error);
}

export function canApply({ items }: Plan, { server, remembered }: Session): boolean {
  const pending = [...remembered.pending.values()];
  const canSettle = pending.some((intent) => isRepeatable(intent, server, server.now()));
  return items.some(({ action }) => (action === 'settle' ? canSettle : action !== 'held'));
}

function isRepeatable(intent: Intent, server: Pick<PendingParts, 'client' | 'keyDigest'>, now: number) {
  const ageMs = now - intent.at;
  // A time in the future means that a clock was changed, so the key's age is unknown.
  const isRemembered = ageMs <= REPEATABLE_MS && ageMs >= -CLOCKS_APART_MS;
  // With another company's key, the repeat would create a new job.
  return (
    intent.keyDigest === server.keyDigest &&
    isRemembered &&
    server.client.traits.honoursIdempotencyKeys === true
  );
}

function unknownOutcome(intent: Intent, { keyDigest }: PendingParts, cause?: PartnerError): CreateOutcome {
  const sent = intent.keyDigest === undefined ? 'may have been' : 'was';
  const otherKey = `: it ${sent} sent with another key, and the server can only match it with that key`;
  const why = cause === undefined ? '' : `: ${cause.message}`;
  const message = `the result of its create is unknown${intent.keyDigest === keyDigest ? why : otherKey}`;
  return { is: 'unknown', error: new PartnerError('OUTCOME_UNKNOWN', { message, cause }) };
}

/** Repeats this run's unknown creates, because later responses may show that the server honors idempotency keys. */
export async function resolveOutcomes(
  outcomes: readonly ItemOutcome[],
  pending: ReadonlyMap<string, Intent>,
  claimed: () => ReadonlySet<number>,
  parts: PendingParts,
): Promise<readonly ItemOutcome[]> {
  if (pending.size === 0) return outcomes;
  const intents = new Map(pending);
  const resolved = await resolvePending(intents.values(), parts);
  const ways = await suggestResolution([...pending.values()], parts.client, claimed());
  const known = new Map<ItemOutcome, ItemOutcome>();
  await inPool(outcomes, parts.concurrency, async (outcome) => {
    const { key, file } = outcome.item;
    const now = outcome.result === 'unknown' ? resolved.get(key) : undefined;
    if (now === undefined) return;
    if (now.is === 'made') {
      const isToBeLive = intents.get(key)?.body.publish === true && file !== undefined;
      const created = await completeCreate(now, isToBeLive, parts);
      const differences = differencesFromCreate((intents.get(key)?.body ?? {}) as JobInput, now.job);
      known.set(outcome, { ...outcome, error: undefined, ...created, differences });
    } else if (now.is === 'refused') {
      known.set(outcome, { ...outcome, result: 'failed', error: now.error });
    } else {
      const way = ways.get(key);
      known.set(outcome, { ...outcome, error: way ? now.error.with({ hint: way }) : now.error });
    }
  });
  return outcomes.map((outcome) => known.get(outcome) ?? outcome);
}

export async function suggestResolution(
  pending: readonly Intent[],
  client: PartnerClient,
  claimed: ReadonlySet<number>,
): Promise<ReadonlyMap<string, string>> {
  if (pending.length === 0) return new Map();
  const sought = pending.map(({ key, body }) => ({
    key,
    fingerprint: contentFingerprint(fieldDigests(pickContent(body as JobInput))),
    opportunityId: undefined,
  }));
  const jobs = await loadUnclaimedJobs(client, claimed, sought).catch(ignoreErrors());
  return new Map(sought.map(({ key, fingerprint }) => [key, describeResolution(key, fingerprint, jobs)]));
}

function describeResolution(key: string, fingerprint: string, jobs: UnclaimedJobs | undefined): string {
  if (jobs === undefined) {
    return `check for it on the server. If the job exists, link it with \`--adopt ${key}=ID\`. If not, create it again with \`--resend ${key}\``;
  }
  const alike = jobs.findNamed('content', fingerprint).map(({ id }) => id);
  if (alike.length === 0) {
    return `none of the server's newest jobs matches it. Create it again with \`--resend ${key}\`, or link an existing job with \`--adopt ${key}=ID\``;
  }
  const [first] = alike;
  const others = alike.length > 1 ? ` (or one of ${alike.slice(1, 5).join(', ')})` : '';
  return `job ${first}${others} is identical. Link it with \`--adopt ${key}=${first}\`, or create another with \`--resend ${key}\``;
}

/** Links a listing to a job (`--adopt KEY=ID`). Throws USAGE if either is already linked or unknown. */
export async function adopt(
  key: string,
  jobId: number,
  { client, journal, makeRoom, state, reading }: CreateParts & { state: BulkState; reading: SetReading },
): Promise<void> {
  const intent = journal.content.pending.get(key);
  const { matches, orphans } = matchListings(reading.wanted, state.listings, reading.whereIs);
  const match = matches.find(({ wanted }) => wanted.key === key);
  if (match?.entry?.job === jobId && match.was !== undefined) return;
  const [owner, remembered] = [...state.listings].find(([, { job }]) => job === jobId) ?? [];
  const isFree = orphans.some(({ entry }) => entry.job === jobId) && reading.whereIs(owner ?? '') === 'read';
  if (owner !== undefined && !isFree) throw createKeyError(`job ${jobId} is already linked to ${owner}`);
  if (intent !== undefined) {
    const entry = entryOfReclaimed(pickContent(intent.body as JobInput), await client.getJob(jobId));
    makeRoom(intent);
    journal.record({ kind: 'made', key, idempotencyKey: intent.idempotencyKey, job: jobId, entry });
    return;
  }
  if (match === undefined) throw createKeyError(`these paths have no listing ${key}`);
  const { wanted, entry: known } = match;
  const job = known && (await jobOrNone(client, known.job));
  if (job?.status !== undefined && !hasEnded(job.status))
    throw createKeyError(`${key} is already linked to job ${job.id}`);
  const entry = remembered
    ? { ...remembered, adopted: wanted.digest }
    : entryOfReclaimed(decodeContent(wanted), await client.getJob(jobId));
  const there = state.listings.get(key);
  const evicted = there === undefined || there === known || there === remembered ? [] : [there];
  const moves = evicted.map((each) => ({
    key: buildUnlistedKey(wanted.path, each.job),
    was: key,
    entry: each,
  }));
  journal.record({ kind: 'moves', moves: [...moves, { key, was: owner ?? key, entry }] });
}

/** Records that the job isn't a duplicate (`--ignore ID`). Throws NOT_FOUND, and USAGE for the job of a listing. */
export async function ignore(
  jobId: number,
  { client, journal, state }: Pick<CreateParts, 'client' | 'journal'> & { readonly state: BulkState },
): Promise<void> {
  const [owner] = [...state.listings].find(([, { job }]) => job === jobId) ?? [];
  if (owner !== undefined) throw createKeyError(`job ${jobId} is linked to ${owner}`);
  await client.getJob(jobId);
  journal.record({ kind: 'ignore', job: jobId });
}

/** Discards a pending create, so that the listing is created again (`--resend KEY`). Throws USAGE if there is none. */
export function resend(key: string, journal: Journal): void {
  const intent = journal.content.pending.get(key);
  if (intent === undefined) throw createKeyError(`${key} has no pending create`);
  journal.record({ kind: 'resent', key, idempotencyKey: intent.idempotencyKey });
}
