import type { PartnerClient, ServerJob } from '../client/client.ts';
import { PartnerError } from '../contract/errors.ts';
import { isOver } from '../contract/lifecycle.ts';
import { LIST_LIMIT_MAX } from '../contract/limits.ts';
import { inPool } from '../contract/promises.ts';
import { jobDigests } from './plan/content.ts';
import { contentFingerprint } from './plan/content-fingerprint.ts';
import type { DesiredListing } from './plan/desired-listing.ts';

/** Fewer jobs than this are asked for one by one: a list brings every job of the company. */
const FEW_JOBS = 8;
/** A company may have many more jobs than these listings: so many pages for each page of theirs, then one by one. */
const PAGES_PER_PAGE = 4;
/** A company's newest jobs, so many pages of them, are looked at for what may have been created a moment ago. */
const NEWEST_PAGES = 20;

/**
 * Hands over each of the jobs as the server has it now, in no order, `undefined` for one that it does not
 * know. Pages of the list where that is fewer calls and the server has one (decision 5), else each by itself.
 */
export async function readJobs(
  client: PartnerClient,
  ids: ReadonlySet<number>,
  concurrency: number,
  take: (id: number, job: ServerJob | undefined) => void,
): Promise<void> {
  const missing = new Set(ids);
  if (ids.size > FEW_JOBS) {
    const pages = Math.ceil(ids.size / LIST_LIMIT_MAX) * PAGES_PER_PAGE;
    for await (const job of listedJobs(client, pages)) {
      if (missing.delete(job.id)) take(job.id, job);
      if (missing.size === 0) return;
    }
  }
  await inPool(missing, concurrency, async (id) => take(id, await jobOrNone(client, id)));
}

/** The newest jobs of the company, `pages` pages of them; none where the server lists no jobs. */
async function* listedJobs(client: PartnerClient, pages: number): AsyncGenerator<ServerJob> {
  try {
    yield* client.allJobs({ limit: pages * LIST_LIMIT_MAX }, pages);
  } catch (error) {
    if (!(error instanceof PartnerError) || error.code !== 'OPERATION_NOT_OFFERED') throw error;
  }
}

async function jobOrNone(client: PartnerClient, id: number): Promise<ServerJob | undefined> {
  try {
    return await client.getJob(id);
  } catch (error) {
    if (error instanceof PartnerError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** Jobs of the server that no listing has yet, to be found by what they hold; each list oldest first. */
export interface UnclaimedJobs {
  /** Those that are just like a content. */
  like(fingerprint: string): readonly ServerJob[];
  ofOpening(opportunityId: string): readonly ServerJob[];
}

/** What an unclaimed job is looked for by. */
export type Sought = Pick<DesiredListing, 'fingerprint' | 'opportunityId'>;

/**
 * Live jobs and drafts that no listing has and that may be one of those sought, among the newest jobs or, for a state
 * that is rebuilt, among all of them. Undefined where the server lists no jobs (decision 5).
 */
export async function unclaimedJobs(
  client: PartnerClient,
  claimed: ReadonlySet<number>,
  sought: readonly Sought[],
  among: 'newest' | 'all' = 'newest',
): Promise<UnclaimedJobs | undefined> {
  const unclaimed = collectUnclaimed(claimed, sought);
  const pages = among === 'all' ? Number.POSITIVE_INFINITY : NEWEST_PAGES;
  try {
    for await (const job of client.allJobs({ limit: pages * LIST_LIMIT_MAX }, pages)) unclaimed.add(job);
  } catch (error) {
    if (error instanceof PartnerError && error.code === 'OPERATION_NOT_OFFERED') return undefined;
    throw error;
  }
  // Pages come newest first.
  return unclaimed.inOrder((jobs) => jobs.reverse());
}

/** The same among the jobs that were made here, each read by its id: what is left where a server lists none. */
export async function unclaimedAmong(
  client: PartnerClient,
  ids: readonly number[],
  claimed: ReadonlySet<number>,
  sought: readonly Sought[],
  concurrency: number,
): Promise<UnclaimedJobs> {
  const unclaimed = collectUnclaimed(claimed, sought);
  const open = ids.filter((id) => !claimed.has(id));
  await inPool(open, concurrency, async (id) => {
    const job = await jobOrNone(client, id);
    if (job !== undefined) unclaimed.add(job);
  });
  return unclaimed.inOrder((jobs) => jobs.sort((a, b) => open.indexOf(b.id) - open.indexOf(a.id)));
}

/** Keeps what is sought alone: a list may be as long as a server likes. */
function collectUnclaimed(claimed: ReadonlySet<number>, sought: readonly Sought[]) {
  const fingerprints = new Set(sought.map(({ fingerprint }) => fingerprint));
  const openings = new Set<unknown>(sought.map(({ opportunityId }) => opportunityId));
  const byFingerprint = new Map<string, ServerJob[]>();
  const byOpening = new Map<string, ServerJob[]>();
  return {
    add(job: ServerJob): void {
      // One that is over is none that a listing could have become a moment ago.
      if (claimed.has(job.id) || isOver(job.status)) return;
      const fingerprint = contentFingerprint(jobDigests(job));
      if (fingerprints.has(fingerprint)) addTo(byFingerprint, fingerprint, job);
      const { opportunityId } = job;
      if (typeof opportunityId === 'string' && openings.has(opportunityId))
        addTo(byOpening, opportunityId, job);
    },
    /** With each group put in order, oldest first. */
    inOrder(order: (jobs: ServerJob[]) => void): UnclaimedJobs {
      for (const group of [...byFingerprint.values(), ...byOpening.values()]) order(group);
      return {
        like: (fingerprint) => byFingerprint.get(fingerprint) ?? [],
        ofOpening: (opportunityId) => byOpening.get(opportunityId) ?? [],
      };
    },
  };
}

function addTo(groups: Map<string, ServerJob[]>, name: string, job: ServerJob): void {
  const group = groups.get(name);
  if (group === undefined) groups.set(name, [job]);
  else group.push(job);
}
