import type { PartnerClient, ServerJob } from '../client/client.ts';
import { ignoreErrors, PartnerError } from '../contract/errors.ts';
import { hasEnded, isPublished } from '../contract/lifecycle.ts';
import { inPool } from '../contract/promises.ts';
import { LIST_LIMIT_MAX } from '../contract/values.ts';
import { contentFingerprint, EMPTY_DIGEST, fieldDigests } from './plan/content.ts';
import type { DesiredListing } from './plan/desired-listing.ts';

/** Up to this many jobs are read one by one, because a list returns all jobs of the company. */
const FEW_JOBS = 8;
/** Maximum list pages per page of wanted jobs, because a company can have many others. The rest are read one by one. */
const PAGES_PER_PAGE = 4;
/** Enough pages of the newest jobs to include any that were just created. */
const NEWEST_PAGES = 20;

/** Passes each job to `take`, in any order, or undefined if it doesn't exist. Passes the newest jobs to `seen`. */
export async function readJobs(
  client: PartnerClient,
  ids: ReadonlySet<number>,
  concurrency: number,
  take: (id: number, job: ServerJob | undefined) => void,
  seen?: (job: ServerJob) => void,
): Promise<void> {
  const missing = new Set(ids);
  const isMany = ids.size > FEW_JOBS;
  const pages = isMany ? Math.ceil(ids.size / LIST_LIMIT_MAX) * PAGES_PER_PAGE : 0;
  let newest = seen === undefined ? 0 : NEWEST_PAGES * LIST_LIMIT_MAX;
  if (isMany || seen !== undefined) {
    await listJobs(client, Math.max(pages, newest / LIST_LIMIT_MAX), (job) => {
      if (newest-- > 0) seen?.(job);
      if (isMany && missing.delete(job.id)) take(job.id, job);
      return newest > 0 || (isMany && missing.size > 0);
    }).catch((error: unknown) => {
      if (isMany || !isServerFault(error)) throw error;
    });
  }
  await inPool(missing, concurrency, async (id) => take(id, await jobOrNone(client, id)));
}

/** Passes the newest jobs to `take` until it returns false. Returns false if the server has no list (decision 5). */
async function listJobs(client: PartnerClient, pages: number, take: (job: ServerJob) => boolean) {
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

export function jobOrNone(client: PartnerClient, id: number): Promise<ServerJob | undefined> {
  return client.getJob(id).catch(ignoreErrors('NOT_FOUND'));
}

/** True if the server refused the request or failed, but may accept other requests. */
export function isServerFault(error: unknown): error is PartnerError {
  return error instanceof PartnerError && error.exit === 1 && error.status !== undefined;
}

export type Sought = {
  readonly [Field in 'fingerprint' | 'opportunityId' | 'digests']?: DesiredListing[Field] | undefined;
};

/** Returns the jobs without a listing that haven't ended. Undefined if the server can't list jobs (decision 5). */
export async function loadUnclaimedJobs(
  client: PartnerClient,
  claimed: ReadonlySet<number>,
  sought?: readonly Sought[],
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

export class UnclaimedJobs {
  readonly claimed: Set<number>;
  readonly #sought: ReadonlySet<string> | undefined;
  readonly #byName = new Map<string, ServerJob[]>();
  isEmpty = true;

  constructor(claimed: ReadonlySet<number>, sought?: readonly Sought[]) {
    this.claimed = new Set(claimed);
    this.#sought = sought && new Set(sought.flatMap((each) => listMatchNames(each, ['content', 'opening'])));
  }

  add(job: ServerJob): void {
    this.isEmpty = false;
    // A job that ended can't become the job of a listing.
    if (this.claimed.has(job.id) || hasEnded(job.status)) return;
    const digests = fieldDigests(job);
    const opportunityId = job.opportunityId || undefined;
    const names = listMatchNames({ fingerprint: contentFingerprint(digests), opportunityId, digests });
    for (const name of names) {
      if (this.#sought?.has(name) === false) continue;
      const group = this.#byName.get(name);
      if (group === undefined) this.#byName.set(name, [job]);
      else group.push(job);
    }
  }

  oldestFirst(): this {
    for (const group of this.#byName.values()) group.sort((a, b) => a.id - b.id);
    return this;
  }

  findNamed(kind: 'content' | 'opening', name: string): readonly ServerJob[] {
    return this.#byName.get(`${kind} ${name}`) ?? [];
  }

  listVersions(listing: Sought, kinds?: readonly NameKind[]): readonly ServerJob[] {
    const jobs = new Set(listMatchNames(listing, kinds).flatMap((name) => this.#byName.get(name) ?? []));
    // Different opening IDs mean different listings (decision 33).
    const isOther = (id: unknown) => Boolean(id && listing.opportunityId) && id !== listing.opportunityId;
    return [...jobs].filter(({ opportunityId }) => !isOther(opportunityId));
  }

  findDuplicates(listings: readonly DesiredListing[]): ReadonlyMap<string, readonly ServerJob[]> {
    const found = new Set<ServerJob>();
    const isNew = (job: ServerJob): boolean =>
      isPublished(job.status) && !this.claimed.has(job.id) && found.size < found.add(job).size;
    const duplicates = listings.map(
      (listing) => [listing.key, this.listVersions(listing, ['opening', 'place']).filter(isNew)] as const,
    );
    return new Map(duplicates.filter(([, jobs]) => jobs.length > 0));
  }
}

const NAMES = {
  content: ({ fingerprint }: Sought) => fingerprint,
  opening: ({ opportunityId }: Sought) => opportunityId,
  place: ({ digests: { title, locations = EMPTY_DIGEST, remoteCountry = EMPTY_DIGEST } = {} }: Sought) =>
    title && [title, locations, remoteCountry].join(),
  text: ({ digests }: Sought) => digests?.description,
};

type NameKind = keyof typeof NAMES;

function listMatchNames(side: Sought, kinds: readonly NameKind[] = Object.keys(NAMES) as NameKind[]) {
  return kinds.flatMap((kind) => {
    const name = NAMES[kind](side);
    return name ? `${kind} ${name}` : [];
  });
}
