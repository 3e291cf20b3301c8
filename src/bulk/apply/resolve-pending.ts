import type { PartnerClient } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { JobInput } from '../../contract/job.ts';
import { isOver } from '../../contract/lifecycle.ts';
import { inPool } from '../../contract/promises.ts';
import { IDEMPOTENCY_MS } from '../../contract/values.ts';
import { contentFingerprint, fieldDigests, wantedContent } from '../plan/content.ts';
import { decodeContent, refusedKey, unlistedKey } from '../plan/desired-listing.ts';
import { matchListings } from '../plan/match.ts';
import type { Plan } from '../plan/plan-item.ts';
import { entryOfReclaimed } from '../plan/rebuild.ts';
import type { SetReading } from '../read-set.ts';
import { jobOrNone, type UnclaimedJobs, unclaimedJobs } from '../server-jobs.ts';
import type { Session } from '../session.ts';
import type { Journal } from '../state/journal.ts';
import type { BulkState, Intent } from '../state/state.ts';
import { type CreateOutcome, type CreateParts, type PendingParts, sendCreate } from './create.ts';
import { createdAs, notedIn } from './execute.ts';
import type { ItemOutcome } from './outcome.ts';

/** Two clocks are never quite the same. */
const CLOCKS_APART_MS = 60 * 60 * 1000;
/** A server forgets keys after 24 hours (decision 27). */
const REPEATABLE_MS = IDEMPOTENCY_MS - CLOCKS_APART_MS;

/** Repeats creates of unknown outcome under their own keys, where that makes none twice. The others stay unknown. */
export async function resolvePending(pending: Iterable<Intent>, parts: PendingParts) {
  const resolved = new Map<string, CreateOutcome>();
  await inPool([...pending], parts.concurrency, async (intent) => {
    resolved.set(intent.key, await resolveOne(intent, parts));
  });
  return resolved;
}

async function resolveOne(intent: Intent, parts: PendingParts): Promise<CreateOutcome> {
  const { stop } = parts;
  if (!isRepeatable(intent, parts, parts.serverNow()))
    return { is: 'unknown', error: outcomeUnknown(intent, parts) };
  if (stop.reason !== undefined) return { is: 'unknown', error: outcomeUnknown(intent, parts, stop.reason) };
  const outcome = await sendCreate(intent, 'repeat', parts);
  stop.note(outcome.error);
  if (outcome.is === 'made' || outcome.is === 'refused') return outcome;
  return { is: 'unknown', error: outcomeUnknown(intent, parts, outcome.error) };
}

/** Whether apply could do anything. A pending create that can't be repeated needs a flag from the user. */
export function canApply({ items }: Plan, { server, remembered }: Session): boolean {
  const pending = [...remembered.pending.values()];
  const canSettle = pending.some((intent) => isRepeatable(intent, server, server.now()));
  return items.some(({ action }) => (action === 'settle' ? canSettle : action !== 'held'));
}

function isRepeatable(intent: Intent, server: Pick<PendingParts, 'client' | 'keyDigest'>, now: number) {
  const ageMs = now - intent.at;
  // In the future only where a clock was set: then nobody knows how old the key is.
  const isRemembered = ageMs <= REPEATABLE_MS && ageMs >= -CLOCKS_APART_MS;
  // To another company the create is a new one, and would be made for it.
  return (
    intent.keyDigest === server.keyDigest &&
    isRemembered &&
    server.client.traits.honoursIdempotencyKeys === true
  );
}

function outcomeUnknown(intent: Intent, { keyDigest }: PendingParts, because?: PartnerError): PartnerError {
  const sent = intent.keyDigest === undefined ? 'may have been' : 'was';
  const otherKey = `: it ${sent} sent with another key, and a server knows it only by that one`;
  const why = because === undefined ? '' : `: ${because.message}`;
  return new PartnerError('OUTCOME_UNKNOWN', {
    message: `the outcome of its create is not known${intent.keyDigest === keyDigest ? why : otherKey}`,
    cause: because,
  });
}

/** Repeats the creates of this run that stayed unknown: by now the server may have shown that it honours keys. */
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
      const isLive = now.job.status === 'ACTIVE';
      const created = await createdAs(now, isToBeLive, parts);
      const item = notedIn(outcome.item, (intents.get(key)?.body ?? {}) as JobInput, now.job);
      known.set(outcome, { ...outcome, published: isLive, error: undefined, ...created, item });
    } else if (now.is === 'refused') {
      known.set(outcome, { ...outcome, result: 'failed', error: now.error });
    } else {
      const way = ways.get(key);
      known.set(outcome, { ...outcome, error: way ? now.error.with({ hint: way }) : now.error });
    }
  });
  return outcomes.map((outcome) => known.get(outcome) ?? outcome);
}

/** What to do about each create of unknown outcome: names the job that is just like the listing, where one is listed. */
export async function suggestResolution(
  pending: readonly Intent[],
  client: PartnerClient,
  claimed: ReadonlySet<number>,
): Promise<ReadonlyMap<string, string>> {
  if (pending.length === 0) return new Map();
  const sought = pending.map(({ key, body }) => ({
    key,
    fingerprint: contentFingerprint(fieldDigests(wantedContent(body as JobInput))),
    opportunityId: undefined,
  }));
  const jobs = await unclaimedJobs(client, claimed, sought).catch((error: unknown) => {
    if (error instanceof PartnerError) return undefined;
    throw error;
  });
  return new Map(sought.map(({ key, fingerprint }) => [key, wayOut(key, fingerprint, jobs)]));
}

function wayOut(key: string, fingerprint: string, jobs: UnclaimedJobs | undefined): string {
  if (jobs === undefined) {
    return `look for it on the server: \`--adopt ${key}=ID\` takes the job it became, \`--resend ${key}\` creates it again`;
  }
  const alike = jobs.like(fingerprint).map(({ id }) => id);
  if (alike.length === 0) {
    return `none of the newest jobs of the server is like it: \`--resend ${key}\` creates it again (\`--adopt ${key}=ID\` if you know better)`;
  }
  const [first] = alike;
  const others = alike.length > 1 ? ` (or one of ${alike.slice(1, 5).join(', ')})` : '';
  return `job ${first}${others} is just like it: \`--adopt ${key}=${first}\` takes it; \`--resend ${key}\` creates another`;
}

/** `--adopt KEY=ID`: the listing is remembered as that job from now on. Throws USAGE where either is taken or unknown. */
export async function adopt(
  key: string,
  jobId: number,
  { client, journal, makeRoom, state, reading }: CreateParts & { state: BulkState; reading: SetReading },
): Promise<void> {
  const intent = journal.content.pending.get(key);
  const { matches, orphans } = matchListings(reading.wanted, state.listings, reading.whereIs);
  const match = matches.find(({ wanted }) => wanted.key === key);
  // The run already matches this listing with the job, so there is nothing to link.
  if (match?.entry?.job === jobId && match.was !== undefined) return;
  const [owner, remembered] = [...state.listings].find(([, { job }]) => job === jobId) ?? [];
  const isFree = orphans.some(({ entry }) => entry.job === jobId) && reading.whereIs(owner ?? '') === 'read';
  if (owner !== undefined && !isFree) throw refusedKey(`job ${jobId} is ${owner} already`);
  if (intent !== undefined) {
    const entry = entryOfReclaimed(wantedContent(intent.body as JobInput), await client.getJob(jobId));
    makeRoom(intent);
    journal.record({ kind: 'made', key, idempotencyKey: intent.idempotencyKey, job: jobId, entry });
    return;
  }
  if (match === undefined) throw refusedKey(`there is no listing ${key} in these paths`);
  const { wanted, entry: known } = match;
  const job = known && (await jobOrNone(client, known.job));
  if (job?.status !== undefined && !isOver(job.status)) throw refusedKey(`${key} is job ${job.id} already`);
  const entry = remembered
    ? { ...remembered, adopted: wanted.digest }
    : entryOfReclaimed(decodeContent(wanted), await client.getJob(jobId));
  const there = state.listings.get(key);
  const evicted = there === undefined || there === known || there === remembered ? [] : [there];
  const moves = evicted.map((each) => ({ key: unlistedKey(wanted.path, each.job), was: key, entry: each }));
  journal.record({ kind: 'moves', moves: [...moves, { key, was: owner ?? key, entry }] });
}

/** `--ignore ID`: the job isn't a duplicate. Throws NOT_FOUND, and USAGE for the job of a listing. */
export async function ignore(
  jobId: number,
  { client, journal, state }: Pick<CreateParts, 'client' | 'journal'> & { readonly state: BulkState },
): Promise<void> {
  const [owner] = [...state.listings].find(([, { job }]) => job === jobId) ?? [];
  if (owner !== undefined) throw refusedKey(`job ${jobId} is the job of ${owner}`);
  await client.getJob(jobId);
  journal.record({ kind: 'ignore', job: jobId });
}

/** `--resend KEY`: the create of unknown outcome is given up, and the listing is created again. Throws USAGE. */
export function resend(key: string, journal: Journal): void {
  const intent = journal.content.pending.get(key);
  if (intent === undefined) throw refusedKey(`no create of ${key} is of unknown outcome`);
  journal.record({ kind: 'resent', key, idempotencyKey: intent.idempotencyKey });
}
