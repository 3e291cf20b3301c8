import { PartnerError } from '../../contract/errors.ts';
import { contentsOf, type SetReading } from '../read-set.ts';
import { type UnclaimedJobs, unclaimedAmong, unclaimedJobs } from '../server-jobs.ts';
import type { Remembered, Session } from '../session.ts';
import type { BulkState, StateEntry } from '../state/state.ts';
import { assertKnownFromStdin, assertSameBase } from '../state/state-guards.ts';
import type { DesiredListing } from './desired-listing.ts';
import { listingKey } from './listing-key.ts';
import { type Matching, matchListings, rekeyed } from './match.ts';
import { type PlannedSet, planSet } from './plan-set.ts';
import { entryOfReclaimed, type Reclaimed, reclaimed } from './rebuild.ts';

/** So many of the newest jobs made here are looked at before what may be there is created, each by a call. */
const GUARD_READS = 500;

/** The plan of what was read. Throws what the calls throw. */
export function plannedSet(
  { request, server, covers, listings }: Session,
  reading: SetReading,
  { state, pending }: Pick<Remembered, 'state' | 'pending'>,
): Promise<PlannedSet> {
  const { concurrency, plan } = request;
  return planSet(reading, listings, state, pending, server.client, { ...plan, concurrency, covers });
}

/** Entries that a state lacks, and which of its own belong to which listing. */
export interface ReclaimedEntries {
  /** By listing key. */
  readonly entries: ReadonlyMap<string, StateEntry>;
  /** The state's own are put under their new keys first: one that was found may take the place of another. */
  readonly matching: Matching;
}

/**
 * The entries of a state that was lost, found again on the server: `--rebuild`. Without that, a run is refused
 * where the server has jobs just like listings that nobody remembers, as it would create them a second time:
 * a state from before the last run, or none. Throws JOBS_ALREADY_THERE, where a state is to be rebuilt
 * OPERATION_NOT_OFFERED, STATE_UNUSABLE for a state of other files, and USAGE for a listing from stdin that only its
 * place tells. Undefined where there is nothing to be found.
 */
export async function reclaimedEntries(
  session: Session,
  reading: SetReading,
  { state, pending }: Pick<Remembered, 'state' | 'pending'>,
): Promise<ReclaimedEntries | undefined> {
  const { request, listings } = session;
  const { rebuild, createAnyway } = request;
  if (reading.wanted.every(({ fingerprint }) => fingerprint === undefined)) return undefined;
  const matching = matchListings(reading.wanted, state.listings, reading.isGone);
  assertSameBase(session, matching.matches, state);
  assertKnownFromStdin(session, matching.matches, pending);
  if (createAnyway && !rebuild) return undefined;
  const open = matching.matches.flatMap(({ key, entry, wanted }) =>
    entry === undefined && !pending.has(key) ? [wanted] : [],
  );
  if (open.length === 0) return undefined;
  const claimed = new Set([...state.listings.values()].map(({ job }) => job));
  const jobs = await lostJobs(session, claimed, open);
  if (!rebuild) {
    assertNoneThere(open, jobs);
    return undefined;
  }
  if (jobs === undefined) throw notListed();
  const found = reclaimed(open, jobs);
  const byListing = new Map(found.map((each) => [each.wanted, each]));
  const entries = new Map<string, StateEntry>();
  const wanted = found.map((each) => each.wanted);
  for await (const { wanted: listing, content } of contentsOf(wanted, reading.contents, listings)) {
    const { job } = byListing.get(listing) as Reclaimed;
    if (content !== undefined)
      entries.set(listingKey(listing.path, listing.index), entryOfReclaimed(content, job));
  }
  return entries.size === 0 ? undefined : { entries, matching };
}

/** The jobs that open listings may have become: those of the server's list or, without one, those made here. */
async function lostJobs(
  { request, server }: Session,
  claimed: ReadonlySet<number>,
  open: readonly DesiredListing[],
): Promise<UnclaimedJobs | undefined> {
  const { rebuild, concurrency } = request;
  const listed = await unclaimedJobs(server.client, claimed, open, rebuild ? 'all' : 'newest');
  if (listed !== undefined) return listed;
  const made = server.createdJobs().filter((id) => !claimed.has(id));
  if (made.length === 0) return undefined;
  const looked = rebuild ? made : made.slice(0, GUARD_READS);
  return unclaimedAmong(server.client, looked, claimed, open, concurrency);
}

/** A state with the entries that it lacked. */
export function withEntries(state: BulkState, found: ReclaimedEntries | undefined): BulkState {
  if (found === undefined) return state;
  return { ...state, listings: new Map([...rekeyed(found.matching), ...found.entries]) };
}

function assertNoneThere(open: readonly DesiredListing[], jobs: UnclaimedJobs | undefined): void {
  const alike = jobs === undefined ? [] : reclaimed(open, { ...jobs, ofOpening: () => [] });
  const [first] = alike;
  if (first === undefined) return;
  const { path, index } = first.wanted;
  const listings = alike.length === 1 ? '1 listing is' : `${alike.length} listings are`;
  throw new PartnerError('JOBS_ALREADY_THERE', {
    message: `${listings} on the server already (${listingKey(path, index)} is just like job ${first.job.id}), and no state remembers that`,
  });
}

function notListed(): PartnerError {
  return new PartnerError('OPERATION_NOT_OFFERED', {
    message:
      'this server lists no jobs, and none is known to be made from this machine: there is nothing to rebuild from',
    hint: 'take each job over with `partner jobs apply PATH --adopt KEY=ID`',
  });
}
