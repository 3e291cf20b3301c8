import type { PartnerClient, ServerJob } from '../../client/client.ts';
import type { JobUpdate } from '../../contract/job.ts';
import type { ListingSet } from '../../listings/read/listing-set.ts';
import { contentsOf, type SetReading } from '../read-set.ts';
import { readJobs } from '../server-jobs.ts';
import type { BulkState, Intent, StateEntry } from '../state/state.ts';
import { jobDigests, wholeDigest } from './content.ts';
import { entryAfterUnanswered } from './entry-after.ts';
import { isAsApplied } from './fields.ts';
import { type Match, type Matching, matchListings } from './match.ts';
import { type JobFacts, needsContent, planOf } from './plan.ts';
import type { Plan, PlanOptions } from './plan-item.ts';

export interface PlanSetOptions extends PlanOptions {
  readonly concurrency: number;
  /** Whether the paths of this run would have covered a remembered listing: others are none of its business. */
  readonly covers: (key: string) => boolean;
}

/** A plan with what it takes to make it true. */
export interface PlannedSet {
  readonly plan: Plan;
  readonly matching: Matching;
  /** By key, of the listings that are compared field by field. */
  readonly compared: ReadonlyMap<string, JobUpdate>;
  /** By key, the entries of listings whose last change was sent and never answered, now that the job was read. */
  readonly settled: ReadonlyMap<string, StateEntry>;
}

/**
 * Compares the listings that were read with what is remembered and with what the server has now. Throws what
 * the calls throw.
 */
export async function planSet(
  reading: SetReading,
  listings: ListingSet,
  state: BulkState,
  pending: ReadonlyMap<string, Intent>,
  client: PartnerClient,
  options: PlanSetOptions,
): Promise<PlannedSet> {
  const matched = matchListings(reading.wanted, state.listings, reading.isGone);
  const inScope = (key: string): boolean => options.covers(key) && !reading.isLeftOut(key);
  const { facts: jobs, settled } = await factsOf(matched, inScope, client, options.concurrency);
  const known = ({ key, entry }: Match): StateEntry | undefined => settled.get(key) ?? entry;
  const matching =
    settled.size === 0
      ? matched
      : { ...matched, matches: matched.matches.map((match) => ({ ...match, entry: known(match) })) };
  const compared = await comparedContents(matching, jobs, reading, listings, options);
  // What is invalid was left out, and may be any of those that seem to be gone: a file under another name.
  const prune = options.prune && reading.invalid === 0;
  const plan = planOf({
    ...matching,
    jobs,
    contents: compared,
    pending,
    inScope,
    options: { ...options, prune },
  });
  return { plan, matching, compared, settled };
}

interface RememberedJobs {
  readonly facts: ReadonlyMap<number, JobFacts | 'gone'>;
  readonly settled: PlannedSet['settled'];
}

/** What the server says of each remembered job; the whole job only where it may have to be compared. */
async function factsOf(
  { matches, orphans }: Matching,
  inScope: (key: string) => boolean,
  client: PartnerClient,
  concurrency: number,
): Promise<RememberedJobs> {
  const remembered = new Map<number, Match | undefined>();
  for (const match of matches) if (match.entry !== undefined) remembered.set(match.entry.job, match);
  for (const { key, entry } of orphans) if (inScope(key)) remembered.set(entry.job, undefined);
  const facts = new Map<number, JobFacts | 'gone'>();
  const settled = new Map<string, StateEntry>();
  await readJobs(client, new Set(remembered.keys()), concurrency, (id, job) => {
    const match = remembered.get(id);
    let entry = match?.entry;
    if (match !== undefined && job !== undefined && (entry?.sent ?? entry?.closing)) {
      entry = entryAfterUnanswered(entry as StateEntry, job);
      settled.set(match.key, entry);
    }
    facts.set(id, job === undefined ? 'gone' : factsOfJob(job, match && { ...match, entry }));
  });
  return { facts, settled };
}

function factsOfJob(job: ServerJob, match: Match | undefined): JobFacts {
  const { id, status, isFrozen } = job;
  const facts = { id, status: String(status), isFrozen: isFrozen === true, isAsApplied: true };
  if (match?.entry === undefined) return facts;
  const asApplied = isAsApplied(match.entry, jobDigests(job));
  const isChanged = match.wanted.digest !== wholeDigest(match.entry.applied);
  return { ...facts, isAsApplied: asApplied, ...(asApplied && !isChanged ? {} : { job }) };
}

async function comparedContents(
  { matches }: Matching,
  jobs: ReadonlyMap<number, JobFacts | 'gone'>,
  { contents }: SetReading,
  listings: ListingSet,
  options: PlanOptions,
): Promise<ReadonlyMap<string, JobUpdate>> {
  const needed = matches.filter(
    (match) => match.entry !== undefined && needsContent(match, jobs.get(match.entry.job), options),
  );
  const keys = new Map(needed.map(({ key, wanted }) => [wanted, key]));
  const found = new Map<string, JobUpdate>();
  const wanted = needed.map((match) => match.wanted);
  for await (const { wanted: listing, content } of contentsOf(wanted, contents, listings)) {
    const key = keys.get(listing);
    if (key !== undefined && content !== undefined) found.set(key, content);
  }
  return found;
}
