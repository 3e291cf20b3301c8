import type { ServerJob } from '../../client/client.ts';
import { expiryCount } from '../../contract/lifecycle.ts';
import type { SetReading } from '../read-set.ts';
import { readJobs, UnclaimedJobs } from '../server-jobs.ts';
import type { Remembered, Session } from '../session.ts';
import { listKnownJobs, type StateEntry } from '../state/state.ts';
import { fieldDigests, wholeDigest } from './content.ts';
import { createKeyError } from './desired-listing.ts';
import { entryAfterUnanswered } from './entry-after.ts';
import { isAsApplied } from './fields.ts';
import { type Match, type Matching, matchListings } from './match.ts';
import { buildPlan, withoutOthers } from './plan.ts';
import type { Plan } from './plan-item.ts';
import type { JobFacts } from './steps.ts';

export type PlannedSet = Awaited<ReturnType<typeof planSet>>;

export async function planSet(
  session: Session,
  reading: SetReading,
  { state, pending }: Pick<Remembered, 'state' | 'pending'>,
) {
  const { request, covers } = session;
  const matched = matchListings(reading.wanted, state.listings, reading.whereIs);
  const unknown = request.plan.replace.find((key) => reading.wanted.every((listing) => listing.key !== key));
  if (unknown !== undefined) throw createKeyError(`these paths have no listing ${unknown}`);
  const inScope = (key: string): boolean => covers(key) && !reading.isLeftOut(key);
  const unclaimed = session.unclaimed ?? new UnclaimedJobs(listKnownJobs(state));
  const seen = session.unclaimed ? undefined : (job: ServerJob) => unclaimed.add(job);
  const { jobs, resolved, expiring } = await loadFacts(matched, inScope, session, seen);
  const matches = matched.matches.map((match) => {
    const entry = resolved.get(match.wanted.key);
    return entry === undefined ? match : { ...match, entry };
  });
  // If a listing is invalid, nothing is pruned, because it may be a seemingly missing one in a renamed file.
  const prune = request.plan.prune && reading.invalidKeys.length === 0;
  const input = { jobs, unclaimed, pending, inScope, options: { ...request.plan, prune } };
  const matching = withoutOthers({ ...matched, matches }, input);
  const planned = matching.matches.filter(({ wanted }) => !wanted.isPassedOver);
  const complete = session.server.client.listsJobs;
  const plan: Plan = { ...buildPlan({ ...matching, matches: planned, ...input }), expiring, complete };
  return { plan, matching, resolved };
}

async function loadFacts(
  { matches, orphans }: Matching,
  inScope: (key: string) => boolean,
  { server, request }: Session,
  seen?: (job: ServerJob) => void,
) {
  const remembered = new Map<number, Match | undefined>();
  for (const match of matches) {
    if (match.wanted.isPassedOver) continue;
    if (match.entry !== undefined) remembered.set(match.entry.job, match);
    else for (const { entry } of match.doubts ?? []) remembered.set(entry.job, undefined);
  }
  for (const { key, entry } of orphans) if (inScope(key)) remembered.set(entry.job, undefined);
  const jobs = new Map<number, JobFacts | 'gone'>();
  const resolved = new Map<string, StateEntry>();
  const expiry = expiryCount(server.now);
  const take = (id: number, job: ServerJob | undefined): void => {
    const match = remembered.get(id);
    if (match !== undefined && job !== undefined) expiry.add(job);
    let entry = match?.entry;
    if (match !== undefined && entry !== undefined && job !== undefined && (entry.sent ?? entry.closing)) {
      entry = entryAfterUnanswered(entry, job);
      resolved.set(match.wanted.key, entry);
    }
    jobs.set(id, job === undefined ? 'gone' : factsOfJob(job, match?.wanted.digest, entry));
  };
  await readJobs(server.client, new Set(remembered.keys()), request.concurrency, take, seen);
  return { jobs, resolved, expiring: expiry.expiring() };
}

function factsOfJob(job: ServerJob, digest: string | undefined, entry: StateEntry | undefined): JobFacts {
  const facts = { id: job.id, status: String(job.status), isFrozen: job.isFrozen === true };
  const isUnchanged =
    entry === undefined || (digest === wholeDigest(entry.applied) && isAsApplied(entry, fieldDigests(job)));
  return isUnchanged ? facts : { ...facts, job };
}
