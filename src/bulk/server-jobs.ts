import type { PartnerClient, ServerJob } from '../client/client.ts';
import { PartnerError } from '../contract/errors.ts';
import { isOver } from '../contract/lifecycle.ts';
import { inPool } from '../contract/promises.ts';
import { LIST_LIMIT_MAX } from '../contract/values.ts';
import { contentFingerprint, fieldDigests } from './plan/content.ts';
import type { DesiredListing } from './plan/desired-listing.ts';
import { type Unmanaged, unmanagedOf } from './plan/likeness.ts';
import { type BulkState, knownJobs } from './state/state.ts';

/** Fewer jobs than this are asked for one by one: a list brings every job of the company. */
const FEW_JOBS = 8;
/** A company may have many more jobs than these listings: so many pages for each page of theirs, then one by one. */
const PAGES_PER_PAGE = 4;
/** Among so many pages of the newest jobs is what may have been created a moment ago. */
const NEWEST_PAGES = 20;

/** Hands over each job, in no order; `undefined` for one that the server does not know. */
export async function readJobs(
  client: PartnerClient,
  ids: ReadonlySet<number>,
  concurrency: number,
  take: (id: number, job: ServerJob | undefined) => void,
): Promise<void> {
  const missing = new Set(ids);
  if (ids.size > FEW_JOBS) {
    const pages = Math.ceil(ids.size / LIST_LIMIT_MAX) * PAGES_PER_PAGE;
    await listJobs(client, pages, (job) => {
      if (missing.delete(job.id)) take(job.id, job);
      return missing.size > 0;
    });
  }
  await inPool(missing, concurrency, async (id) => take(id, await jobOrNone(client, id)));
}

/** Hands over the newest jobs as long as `take` wants more. False where the server lists no jobs (decision 5). */
async function listJobs(
  client: PartnerClient,
  pages: number,
  take: (job: ServerJob) => boolean,
): Promise<boolean> {
  try {
    for await (const job of client.allJobs({ limit: pages * LIST_LIMIT_MAX }, pages)) {
      if (!take(job)) break;
    }
    return true;
  } catch (error) {
    if (error instanceof PartnerError && error.code === 'OPERATION_NOT_OFFERED') return false;
    throw error;
  }
}

export function sourceJson(complete: boolean) {
  return { complete, source: complete ? 'server' : 'this machine' };
}

export async function jobOrNone(client: PartnerClient, id: number): Promise<ServerJob | undefined> {
  try {
    return await client.getJob(id);
  } catch (error) {
    if (error instanceof PartnerError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** The newest jobs that aren't over or in the state. Undefined if the server can't list jobs (decision 5). */
export async function unmanagedJobs(
  client: PartnerClient,
  state: BulkState,
): Promise<Unmanaged[] | undefined> {
  const [known, jobs] = [knownJobs(state), [] as Unmanaged[]];
  const isListed = await listJobs(client, NEWEST_PAGES, (job) => {
    if (!known.has(job.id) && !isOver(job.status)) jobs.push(unmanagedOf(job));
    return true;
  });
  return isListed ? jobs : undefined;
}

export type Sought = Pick<DesiredListing, 'fingerprint' | 'opportunityId'>;

/** Live jobs and drafts that no listing has. Undefined where the server lists no jobs (decision 5). */
export async function unclaimedJobs(
  client: PartnerClient,
  claimed: ReadonlySet<number>,
  sought: readonly Sought[],
  among: 'newest' | 'all' = 'newest',
): Promise<UnclaimedJobs | undefined> {
  const unclaimed = new UnclaimedJobs(claimed, sought);
  const pages = among === 'all' ? Number.POSITIVE_INFINITY : NEWEST_PAGES;
  const isListed = await listJobs(client, pages, (job) => {
    unclaimed.add(job);
    return true;
  });
  return isListed ? unclaimed.oldestFirst() : undefined;
}

/** The same among the jobs that were made here, each read by its id: what is left where a server lists none. */
export async function unclaimedAmong(
  client: PartnerClient,
  ids: readonly number[],
  claimed: ReadonlySet<number>,
  sought: readonly Sought[],
  concurrency: number,
): Promise<UnclaimedJobs> {
  const unclaimed = new UnclaimedJobs(claimed, sought);
  await inPool(ids, concurrency, async (id) => {
    const job = await jobOrNone(client, id);
    if (job !== undefined) unclaimed.add(job);
  });
  return unclaimed.oldestFirst();
}

/** Jobs of the server that no listing has yet, oldest first; of those only what is sought is kept. */
export class UnclaimedJobs {
  readonly #claimed: ReadonlySet<number>;
  readonly #byFingerprint: Map<unknown, ServerJob[]>;
  readonly #byOpening: Map<unknown, ServerJob[]>;
  isEmpty = true;

  constructor(claimed: ReadonlySet<number>, sought: readonly Sought[]) {
    this.#claimed = claimed;
    this.#byFingerprint = new Map(sought.map(({ fingerprint }) => [fingerprint, []]));
    this.#byOpening = new Map(sought.map(({ opportunityId }) => [opportunityId, []]));
  }

  add(job: ServerJob): void {
    this.isEmpty = false;
    // A listing cannot have become a job that is over a moment ago.
    if (this.#claimed.has(job.id) || isOver(job.status)) return;
    this.#byFingerprint.get(contentFingerprint(fieldDigests(job)))?.push(job);
    if (typeof job.opportunityId === 'string') this.#byOpening.get(job.opportunityId)?.push(job);
  }

  oldestFirst(): this {
    for (const group of [...this.#byFingerprint.values(), ...this.#byOpening.values()])
      group.sort((a, b) => a.id - b.id);
    return this;
  }

  like(fingerprint: string): readonly ServerJob[] {
    return this.#byFingerprint.get(fingerprint) ?? [];
  }

  ofOpening(opportunityId: string): readonly ServerJob[] {
    return this.#byOpening.get(opportunityId) ?? [];
  }
}
