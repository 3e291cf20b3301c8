import type { PartnerClient } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { JobInput } from '../../contract/job.ts';
import { IDEMPOTENCY_MS } from '../../contract/limits.ts';
import { inPool } from '../../contract/promises.ts';
import { fieldDigests, wantedContent } from '../plan/content.ts';
import { contentFingerprint } from '../plan/content-fingerprint.ts';
import { type UnclaimedJobs, unclaimedJobs } from '../server-jobs.ts';
import type { Intent } from '../state/state.ts';
import { type CreateOutcome, type CreateParts, createFrom } from './create.ts';
import type { PublishCircuitBreaker } from './publish-circuit-breaker.ts';
import type { RunStop } from './run-stop.ts';

/** Two clocks are never quite the same. */
const CLOCKS_APART_MS = 60 * 60 * 1000;
/** A server forgets keys after 24 hours (decision 27). */
const REPEATABLE_MS = IDEMPOTENCY_MS - CLOCKS_APART_MS;

export interface PendingParts extends CreateParts {
  readonly gate: PublishCircuitBreaker;
  readonly stop: RunStop;
  /** As `BulkServer` has it. */
  readonly serverNow: () => number;
  /** Of the API key that calls are made with. */
  readonly keyDigest: string;
  /** Called before the job of an intent is remembered: another listing may stand at its key by now. */
  readonly makeRoom: (intent: Intent) => void;
  readonly concurrency: number;
}

/** What came of creates of unknown outcome, by listing key. */
export type Settled = ReadonlyMap<string, CreateOutcome>;

/**
 * Repeats creates of unknown outcome under their own keys, which makes none twice, where the server honours
 * keys and still remembers these, and the API key is the one that they were sent with. The others stay unknown.
 */
export async function resolvePending(pending: Iterable<Intent>, parts: PendingParts): Promise<Settled> {
  const settled = new Map<string, CreateOutcome>();
  await inPool([...pending], parts.concurrency, async (intent) => {
    settled.set(intent.key, await settleOne(intent, parts));
  });
  return settled;
}

async function settleOne(intent: Intent, parts: PendingParts): Promise<CreateOutcome> {
  const { client, serverNow, gate, stop } = parts;
  // To another company the create is a new one, and would be made for it.
  if (intent.keyDigest !== parts.keyDigest) return { unknown: sentWithAnotherKey(intent) };
  const ageMs = serverNow() - intent.at;
  // From the future: a clock was set meanwhile, and how old the key is nobody knows.
  const isRemembered = ageMs <= REPEATABLE_MS && ageMs >= -CLOCKS_APART_MS;
  if (!client.traits.honoursIdempotencyKeys || !isRemembered) {
    return { unknown: unknownOutcome() };
  }
  if (stop.reason !== undefined) return { unknown: unknownOutcome(stop.reason) };
  let sent: CreateOutcome | undefined;
  const attempt = async (): Promise<void> => {
    sent = await createFrom(intent, parts, parts);
    if ('refused' in sent) throw sent.refused;
  };
  try {
    await (intent.body.publish === true ? gate.pass(attempt) : attempt());
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    // The gate was shut by another: this one was not sent, and is no wiser.
    sent ??= { unknown: error };
  }
  const outcome = sent ?? { unknown: unknownOutcome() };
  stop.note(errorOf(outcome));
  return 'unknown' in outcome ? { unknown: unknownOutcome(outcome.unknown) } : outcome;
}

/** Why a create has not come to a job, so far. */
export function errorOf(outcome: CreateOutcome): PartnerError | undefined {
  if ('made' in outcome) return undefined;
  return 'refused' in outcome ? outcome.refused : outcome.unknown;
}

function sentWithAnotherKey({ keyDigest }: Intent): PartnerError {
  const sent = keyDigest === undefined ? 'may have been' : 'was';
  return new PartnerError('OUTCOME_UNKNOWN', {
    message: `the outcome of its create is not known: it ${sent} sent with another key, and a server knows it only by that one`,
  });
}

function unknownOutcome(because?: PartnerError): PartnerError {
  const why = because === undefined ? '' : `: ${because.message}`;
  return new PartnerError('OUTCOME_UNKNOWN', {
    message: `the outcome of its create is not known${why}`,
    cause: because,
  });
}

/**
 * What to do about each create of unknown outcome: where the server lists jobs, the one that is just like the
 * listing and that no other listing has is named (by `opportunityId` and all other content).
 */
export async function suggestResolution(
  pending: Iterable<Intent>,
  client: PartnerClient,
  claimed: ReadonlySet<number>,
): Promise<ReadonlyMap<string, string>> {
  const intents = [...pending];
  if (intents.length === 0) return new Map();
  const sought = intents.map(({ key, body }) => ({
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
