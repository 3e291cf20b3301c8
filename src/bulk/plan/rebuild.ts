import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerJob } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { JobUpdate } from '../../contract/job.ts';
import { inPool } from '../../contract/promises.ts';
import type { SetReading } from '../read-set.ts';
import { isServerFault, jobOrNone, UnclaimedJobs, unclaimedJobs } from '../server-jobs.ts';
import type { Remembered, Session } from '../session.ts';
import { type BulkState, type FieldDigests, knownJobs, type StateEntry } from '../state/state.ts';
import { fieldDigests, wholeDigest } from './content.ts';
import { type DesiredListing, decodeContent, listingOfKey } from './desired-listing.ts';
import { type Match, type Matching, matchListings, rekeyed } from './match.ts';

/** So many of the newest jobs made here are looked at before what may be there is created, each by a call. */
const GUARD_READS = 500;

/** Entries that a state lacks, and which of its own belong to which listing. */
export interface ReclaimedEntries {
  readonly entries: ReadonlyMap<string, StateEntry>;
  /** The state's own are put under their new keys first: one that was found may take the place of another. */
  readonly matching: Matching;
}

export type FoundJobs = ReturnType<typeof reclaimed>;

/** `--rebuild`: the entries of a lost state. Throws JOBS_ALREADY_THERE without it, unless another run made the jobs. */
export async function reclaimedEntries(
  session: Session,
  reading: SetReading,
  { state, pending }: Pick<Remembered, 'state' | 'pending'>,
  areProven?: (found: FoundJobs) => Promise<boolean>,
): Promise<ReclaimedEntries | undefined> {
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
  const jobs = await lostJobs(session, knownJobs(state), open);
  if (!rebuild) {
    const found = jobs === undefined ? [] : reclaimed(open, jobs, false);
    if (!(await areProven?.(found))) assertNone(found);
    for (const { job } of found) session.unclaimed?.claimed.add(job.id);
    return undefined;
  }
  if (jobs === undefined) {
    throw new PartnerError('OPERATION_NOT_OFFERED', {
      message:
        'this server lists no jobs, and none is known to be made from this machine: there is nothing to rebuild from',
      hint: 'take each job over with `partner jobs apply PATH --adopt KEY=ID`',
    });
  }
  const found = reclaimed(open, jobs, true);
  const entries = found.map(
    ({ wanted, job }) => [wanted.key, entryOfReclaimed(decodeContent(wanted), job)] as const,
  );
  return entries.length === 0 ? undefined : { entries: new Map(entries), matching };
}

/** The jobs that open listings may have become: those of the server's list or, without one, those made here. */
async function lostJobs(
  session: Session,
  claimed: ReadonlySet<number>,
  open: readonly DesiredListing[],
): Promise<UnclaimedJobs | undefined> {
  const { rebuild, concurrency } = session.request;
  const { client, createdJobs } = session.server;
  const listing = rebuild ? unclaimedJobs(client, claimed, open, 'all') : unclaimedJobs(client, claimed);
  const listed = await listing.catch((error: unknown) => {
    throw isServerFault(error) && client.hasListedJobs ? listUnavailable(error.message) : error;
  });
  if (!rebuild) session.unclaimed = listed;
  if (listed === undefined && client.hasListedJobs) throw listUnavailable('it refused the request');
  // An empty list may be wrong.
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
    message: `This server listed jobs before and doesn't now: ${why}. Nothing was created.`,
  });
}

/** Finds jobs first by the whole content, each job once, then by an `opportunityId` that one of each side alone has. */
function reclaimed(wanted: readonly DesiredListing[], unclaimed: UnclaimedJobs, byOpening: boolean) {
  const found: { wanted: DesiredListing; job: ServerJob }[] = [];
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
  if (!byOpening) return found;
  const openings = new Map<string | undefined, number>();
  for (const { opportunityId } of open) openings.set(opportunityId, (openings.get(opportunityId) ?? 0) + 1);
  for (const listing of open) {
    const { opportunityId } = listing;
    if (opportunityId === undefined || openings.get(opportunityId) !== 1) continue;
    const [job, other] = unclaimed.ofOpening(opportunityId).filter(({ id }) => !taken.has(id));
    if (job !== undefined && other === undefined) take(listing, job);
  }
  return found;
}

/** What the job holds counts as applied: where the listing says something else, it is the listing that has changed. */
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

export function withEntries(state: BulkState, found: ReclaimedEntries | undefined): BulkState {
  if (found === undefined) return state;
  return { ...state, listings: new Map([...rekeyed(found.matching), ...found.entries]) };
}

function assertNone(alike: FoundJobs): void {
  const [first] = alike;
  if (first === undefined) return;
  const listings = alike.length === 1 ? '1 listing is' : `${alike.length} listings are`;
  throw new PartnerError('JOBS_ALREADY_THERE', {
    message: `${listings} on the server already (${first.wanted.key} is just like job ${first.job.id}), and no state remembers that`,
  });
}

/** The path of what is read from stdin, in keys and in findings. */
const STDIN = 'stdin';

/** The keys of `--state` are relative to another directory where none of its files is there and none of these is known. */
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
    message: `${store.name} does not belong to ${base}: none of the files that it remembers is there, as ${path}, and it remembers none of these`,
    hint: 'run it from the directory where the state was made; or, where all files really are new, with --create-anyway',
  });
}

/** Something else may have been piped in than before, and the job of that listing would be turned into it. */
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
      message: `${key} was job ${entry.job} so far, and its content is different now: a listing from stdin is identified by its key, its opportunityId or its content`,
      hint: 'set the key or opportunityId that it had before, or pass it as a file, which is identified by its path',
    });
  }
}

function isFromStdin({ file }: DesiredListing, { request }: Session): boolean {
  return file === STDIN && request.paths.includes('-');
}
