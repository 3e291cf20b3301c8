import type { ServerJob } from '../../client/client.ts';
import type { JobUpdate } from '../../contract/job.ts';
import type { UnclaimedJobs } from '../server-jobs.ts';
import type { FieldDigests, StateEntry } from '../state/state.ts';
import { fieldDigests, jobDigests } from './content.ts';
import type { DesiredListing } from './desired-listing.ts';
import { entryAfterCreate } from './entry-after.ts';

/** A wanted listing and the job of the server that it is taken to have become. */
export interface Reclaimed {
  readonly wanted: DesiredListing;
  readonly job: ServerJob;
}

/**
 * Which of the server's jobs that nobody remembers are those of listings that nobody remembers either: first by the whole content, each job once, then by an `opportunityId` that only one of each side has.
 */
export function reclaimed(wanted: readonly DesiredListing[], unclaimed: UnclaimedJobs): readonly Reclaimed[] {
  const found: Reclaimed[] = [];
  const taken = new Set<number>();
  const take = (listing: DesiredListing, job: ServerJob): void => {
    found.push({ wanted: listing, job });
    taken.add(job.id);
  };
  const open: DesiredListing[] = [];
  for (const listing of wanted) {
    const job = unclaimed.like(listing.fingerprint ?? '').find(({ id }) => !taken.has(id));
    if (job === undefined) open.push(listing);
    else take(listing, job);
  }
  const openings = new Map<string, number>();
  for (const { opportunityId = '' } of open)
    openings.set(opportunityId, (openings.get(opportunityId) ?? 0) + 1);
  for (const listing of open) {
    const { opportunityId } = listing;
    if (opportunityId === undefined || openings.get(opportunityId) !== 1) continue;
    const [job, other] = unclaimed.ofOpening(opportunityId).filter(({ id }) => !taken.has(id));
    if (job !== undefined && other === undefined) take(listing, job);
  }
  return found;
}

/**
 * The entry of a listing whose job was found on the server. What the job holds counts as applied, so that
 * where the listing says something else, it is the listing that has changed.
 */
export function entryOfReclaimed(content: JobUpdate, job: ServerJob): StateEntry {
  const file = fieldDigests(content);
  const server = jobDigests(job);
  const known = Object.keys(file).map((field) => [
    field,
    server[field as keyof FieldDigests] ?? file[field as keyof FieldDigests],
  ]);
  return entryAfterCreate(Object.fromEntries(known), content.opportunityId, job);
}
