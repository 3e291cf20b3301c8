import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerJob } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { JobUpdate } from '../../contract/job.ts';
import { inPool } from '../../contract/promises.ts';
import { groupBy } from '../../text/group-by.ts';
import type { SetReading } from '../read-set.ts';
import { isServerFault, jobOrNone, loadUnclaimedJobs, UnclaimedJobs } from '../server-jobs.ts';
import type { Remembered, Session } from '../session.ts';
import { type BulkState, type FieldDigests, listKnownJobs, type StateEntry } from '../state/state.ts';
import { fieldDigests, wholeDigest } from './content.ts';
import { type DesiredListing, decodeContent, listingOfKey, nameListing } from './desired-listing.ts';
import { type Match, matchListings, rekeyEntries } from './match.ts';

const GUARD_READS = 500;

export type FoundJobs = ReturnType<typeof reclaimJobs>;

/** Returns the entries of a lost state. Without `--rebuild`, throws JOBS_ALREADY_THERE unless another run created them. */
export async function reclaimEntries(
  session: Session,
  reading: SetReading,
  { state, pending }: Pick<Remembered, 'state' | 'pending'>,
  areProven?: (found: FoundJobs) => Promise<boolean>,
) {
  const { rebuild, plan } = session.request;
  if (reading.wanted.every(({ fingerprint }) => fingerprint === undefined)) return undefined;
  const matching = matchListings(reading.wanted, state.listings, reading.whereIs);
  assertSameBase(session, matching.matches, state);
  assertKnownFromStdin(session, matching.matches, pending);
  if (plan.createAnyway && !rebuild) return undefined;
  const open = matching.matches.flatMap(({ entry, wanted }) =>
    entry === undefined && !wanted.isPassedOver && !pending.has(wanted.key) ? [wanted] : [],
  );
  if (open.length === 0) return undefined;
  const jobs = await loadLostJobs(session, listKnownJobs(state), open);
  if (!rebuild) {
    const found = jobs === undefined ? [] : reclaimJobs(open, jobs, false);
    if (!(await areProven?.(found))) assertNone(found);
    for (const { job } of found) session.unclaimed?.claimed.add(job.id);
    return undefined;
  }
  if (jobs === undefined) {
    throw new PartnerError('OPERATION_NOT_OFFERED', {
      message:
        "can't rebuild the state: this server doesn't list jobs, and no jobs created from this machine are recorded",
      hint: 'link each job with `partner jobs apply PATH --adopt KEY=ID`',
    });
  }
  const found = reclaimJobs(open, jobs, true);
  const entries = found.map(
    ({ wanted, job }) => [wanted.key, entryOfReclaimed(decodeContent(wanted), job)] as const,
  );
  return entries.length === 0 ? undefined : { entries: new Map(entries), matching };
}

async function loadLostJobs(session: Session, claimed: ReadonlySet<number>, open: readonly DesiredListing[]) {
  const { rebuild, concurrency } = session.request;
  const { client, createdJobs } = session.server;
  const listing = rebuild
    ? loadUnclaimedJobs(client, claimed, open, 'all')
    : loadUnclaimedJobs(client, claimed);
  const listed = await listing.catch((error: unknown) => {
    throw isServerFault(error) && client.hasListedJobs ? listUnavailable(error.message) : error;
  });
  if (!rebuild) session.unclaimed = listed;
  if (listed === undefined && client.hasListedJobs) throw listUnavailable('it refused the request');
  // An empty list may be wrong, so jobs that were created from this machine are read one by one.
  if (listed?.isEmpty === false) return listed;
  const made = createdJobs.ids().filter((id) => !claimed.has(id));
  if (made.length === 0) return listed;
  const unclaimed = new UnclaimedJobs(claimed, open);
  await inPool(rebuild ? made : made.slice(0, GUARD_READS), concurrency, async (id) => {
    const job = await jobOrNone(client, id);
    if (job !== undefined) unclaimed.add(job);
  });
  return unclaimed.oldestFirst();
}

function listUnavailable(why: string): PartnerError {
  return new PartnerError('LIST_UNAVAILABLE', {
    message: `this server listed jobs before, but doesn't now: ${why}. Nothing was created`,
  });
}

function reclaimJobs(wanted: readonly DesiredListing[], unclaimed: UnclaimedJobs, byOpening: boolean) {
  const found: { wanted: DesiredListing; job: ServerJob }[] = [];
  const taken = new Set<number>();
  const take = (listing: DesiredListing, job: ServerJob): void => {
    found.push({ wanted: listing, job });
    taken.add(job.id);
  };
  const open: DesiredListing[] = [];
  for (const listing of wanted) {
    const job = unclaimed.findNamed('content', listing.fingerprint ?? '').find(({ id }) => !taken.has(id));
    if (job === undefined) open.push(listing);
    else take(listing, job);
  }
  if (!byOpening) return found;
  for (const [opportunityId, [listing, twin]] of groupBy(open, (each) => each.opportunityId)) {
    if (opportunityId === undefined || listing === undefined || twin !== undefined) continue;
    const [job, other] = unclaimed.findNamed('opening', opportunityId).filter(({ id }) => !taken.has(id));
    if (job !== undefined && other === undefined) take(listing, job);
  }
  return found;
}

/** Treats the job's current content as the last applied version, so a listing that differs is a change. */
export function entryOfReclaimed(content: JobUpdate, job: ServerJob): StateEntry {
  const [file, server] = [fieldDigests(content), fieldDigests(job)];
  const fields = Object.keys(file) as (keyof FieldDigests)[];
  const applied = Object.fromEntries(fields.map((field) => [field, server[field] ?? file[field]]));
  const digest = wholeDigest(file);
  return {
    job: job.id,
    ...(content.opportunityId ? { opportunityId: content.opportunityId } : {}),
    applied,
    ...(wholeDigest(applied) === digest ? {} : { adopted: digest }),
  };
}

/** Moved entries get their new keys first, because a found entry may use the old key of a moved one. */
export function withEntries(state: BulkState, found: Awaited<ReturnType<typeof reclaimEntries>>): BulkState {
  if (found === undefined) return state;
  return { ...state, listings: new Map([...rekeyEntries(found.matching), ...found.entries]) };
}

function assertNone(alike: FoundJobs): void {
  const [first] = alike;
  if (first === undefined) return;
  const listings =
    alike.length === 1
      ? 'an identical job for 1 listing already exists'
      : `identical jobs for ${alike.length} listings already exist`;
  throw new PartnerError('JOBS_ALREADY_THERE', {
    message: `${listings} on the server (${nameListing(first.wanted)} is identical to job ${first.job.id}), but the state file doesn't list them. Nothing was created`,
  });
}

const STDIN = 'stdin';

/** The base directory for `--state` is wrong if the state's files don't exist there and its keys match no listing. */
function assertSameBase(session: Session, matches: readonly Match[], { listings }: BulkState): void {
  const { request, base, store } = session;
  if (request.stateFile === undefined || request.plan.createAnyway) return;
  const ofFiles = matches.filter(({ wanted }) => !isFromStdin(wanted, session));
  const isAtHome = ofFiles.some(({ entry, was }) => entry !== undefined && was === undefined);
  if (isAtHome || ofFiles.every(({ entry }) => entry !== undefined)) return;
  const paths = new Set(Array.from(listings.keys(), (key) => listingOfKey(key).path));
  paths.delete(STDIN);
  const [path] = paths;
  if (path === undefined || [...paths].some((each) => existsSync(join(base, each)))) return;
  throw new PartnerError('STATE_UNUSABLE', {
    message: `${store.name} doesn't belong to ${base}: its files, such as ${path}, don't exist there, and it has none of the given files`,
    hint: 'run the command from the directory where the state was created. If all files are new, pass --create-anyway',
  });
}

/** Different input may have been piped in, which would change the job into another listing. */
function assertKnownFromStdin(
  session: Session,
  matches: readonly Match[],
  pending: ReadonlyMap<string, unknown>,
): void {
  const { state, pending: pendingBefore } = session.remembered;
  for (const { wanted, entry } of matches) {
    const { key, name, digest, opportunityId } = wanted;
    if (entry === undefined || pending.has(key) || !isFromStdin(wanted, session)) continue;
    const isOpening = opportunityId !== undefined && opportunityId === entry.opportunityId;
    const isNamed = name !== undefined && name === entry.key;
    const isSame = isNamed || isOpening || wholeDigest(entry.applied) === digest;
    const isAdopted = state.listings.get(key)?.job !== entry.job && !pendingBefore.has(key);
    if (isSame || isAdopted) continue;
    throw new PartnerError('USAGE', {
      message: `can't match ${nameListing(wanted)} to job ${entry.job}: its content changed, and it has no known key or opportunityId`,
      hint: 'set its previous `key` or `opportunityId`, or pass it as a file. Files are identified by their path',
    });
  }
}

function isFromStdin({ file }: DesiredListing, { request }: Session): boolean {
  return file === STDIN && request.paths.includes('-');
}
