import { PartnerError } from '../contract/errors.ts';
import { listingKey } from './listing-key.ts';
import { type PlannedSet, planSet } from './plan-set.ts';
import { contentsOf, type SetReading } from './read-set.ts';
import { entryOfReclaimed, type Reclaimed, reclaimed } from './rebuild.ts';
import { type UnclaimedJobs, unclaimedJobs } from './server-jobs.ts';
import type { Remembered, Session } from './session.ts';
import type { BulkState, StateEntry } from './state.ts';
import type { Wanted } from './wanted.ts';

/** A company's newest jobs, so many pages of them, are looked at before what may be there is created. */
const GUARD_PAGES = 20;

/** The plan of what was read. Throws what the calls throw. */
export function plannedSet(
  { request, server, covers, listings }: Session,
  reading: SetReading,
  { state, pending }: Pick<Remembered, 'state' | 'pending'>,
): Promise<PlannedSet> {
  const { concurrency, plan } = request;
  return planSet(reading, listings, state, pending, server.client, { ...plan, concurrency, covers });
}

/**
 * The entries of a state that was lost, found again on the server: `--rebuild`. Without that, a run is refused
 * where the server has jobs just like listings that nobody remembers, as it would create them a second time:
 * a state from before the last run, or none. Throws JOBS_ALREADY_THERE and, where a state is to be rebuilt,
 * OPERATION_NOT_OFFERED.
 */
export async function reclaimedEntries(
  { request, server, listings }: Session,
  reading: SetReading,
  { state, pending }: Pick<Remembered, 'state' | 'pending'>,
): Promise<ReadonlyMap<string, StateEntry>> {
  const { rebuild, createAnyway } = request;
  const open = createAnyway && !rebuild ? [] : reading.wanted.filter(isForgotten(state, pending));
  if (open.length === 0) return new Map();
  const claimed = new Set([...state.listings.values()].map(({ job }) => job));
  const jobs = await unclaimedJobs(server.client, claimed, rebuild ? undefined : GUARD_PAGES);
  if (!rebuild) {
    assertNoneThere(open, jobs);
    return new Map();
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
  return entries;
}

/** A state with entries that it does not have yet. */
export function withEntries(state: BulkState, entries: ReadonlyMap<string, StateEntry>): BulkState {
  return entries.size === 0 ? state : { ...state, listings: new Map([...state.listings, ...entries]) };
}

/** True of a listing that is no job yet, as far as anything remembers, nor one that may have been made. */
function isForgotten(
  { listings }: BulkState,
  pending: ReadonlyMap<string, unknown>,
): (listing: Wanted) => boolean {
  return ({ path, index }) => {
    const key = listingKey(path, index);
    return !listings.has(key) && !pending.has(key);
  };
}

function assertNoneThere(open: readonly Wanted[], jobs: UnclaimedJobs | undefined): void {
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
    message: 'this server lists no jobs: a state cannot be rebuilt from it',
    hint: 'take each job over with `partner jobs apply PATH --adopt KEY=ID`',
  });
}
