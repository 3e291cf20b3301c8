import { fieldDigests, wholeDigest } from '../../../src/bulk/plan/content.ts';
import {
  type DesiredListing,
  encodeContent,
  listingKey,
  listingOfKey,
} from '../../../src/bulk/plan/desired-listing.ts';
import { entryAfterCreate, updateEntry } from '../../../src/bulk/plan/entry-after.ts';
import { type Matching, matchListings, rekeyEntries } from '../../../src/bulk/plan/match.ts';
import { buildPlan, withoutOthers } from '../../../src/bulk/plan/plan.ts';
import type { Plan, PlanItem, PlanNotice, PlanOptions } from '../../../src/bulk/plan/plan-item.ts';
import type { JobFacts } from '../../../src/bulk/plan/steps.ts';
import type { Intent, StateEntry } from '../../../src/bulk/state/state.ts';
import type { ServerJob } from '../../../src/client/client.ts';
import { EMPTY_CONTENT, type JobUpdate } from '../../../src/contract/job.ts';

export interface Given {
  /** Listings by file. */
  readonly files?: Readonly<Record<string, readonly Listing[] | Listing>>;
  /** State entries by listing key. */
  readonly state?: Readonly<Record<string, StateEntry>>;
  readonly server?: readonly ServerJob[];
  readonly options?: Partial<PlanOptions>;
  /** Keys of pending creates. */
  readonly pending?: readonly string[];
  /** Existing files outside the paths of this run. */
  readonly elsewhere?: readonly string[];
}

export type Listing = JobUpdate & { readonly publish?: boolean; readonly key?: string };

const NO_OPTIONS: PlanOptions = {
  ...{ prune: false, overwrite: false, repost: false, recreate: false },
  ...{ createAnyway: false, replace: [] },
};

/** Returns the listings like the reader does. */
export function listingsOf(files: Given['files'] = {}): DesiredListing[] {
  return Object.entries(files).flatMap(([path, listings]) =>
    [listings].flat().map(({ publish = false, key: name, ...content }, index) => {
      const digests = fieldDigests(content);
      return {
        key: listingKey(path, index),
        path,
        file: `./${path}`,
        line: index + 1,
        json: encodeContent(content),
        digests,
        digest: wholeDigest(digests),
        opportunityId: content.opportunityId || undefined,
        name,
        publish,
      };
    }),
  );
}

/** Matches and plans like a run. */
export function planned({
  files = {},
  state = {},
  server = [],
  options,
  pending = [],
  elsewhere = [],
}: Given): { plan: Plan; matching: Matching } {
  const whereIs = (key: string) => (elsewhere.includes(listingOfKey(key).path) ? 'elsewhere' : 'read');
  const matched = matchListings(listingsOf(files), new Map(Object.entries(state)), whereIs);
  const jobs = new Map<number, JobFacts | 'gone'>();
  for (const { entry } of [...matched.matches, ...matched.orphans]) {
    if (entry === undefined) continue;
    const job = server.find(({ id }) => id === entry.job);
    jobs.set(entry.job, job === undefined ? 'gone' : factsOf(job));
  }
  const input = {
    jobs,
    pending: new Map(pending.map((key) => [key, intent(key)])),
    inScope: (key: string) => !elsewhere.includes(listingOfKey(key).path),
    options: { ...NO_OPTIONS, ...options },
  };
  const matching = withoutOthers(matched, input);
  const plan = buildPlan({ ...matching, ...input });
  return { plan, matching };
}

/** Returns the state and the server after all items of the plan. `make` returns the content that the server stores. */
export function done(
  given: Given,
  { plan, matching }: ReturnType<typeof planned>,
  make: (content: JobUpdate) => JobUpdate,
): Pick<Given, 'state' | 'server'> {
  const contents = new Map(
    Object.entries(given.files ?? {}).flatMap(([path, listings]) =>
      [listings]
        .flat()
        .map(({ publish: _, key: __, ...content }, index) => [listingKey(path, index), content] as const),
    ),
  );
  const entries = new Map(rekeyEntries(matching));
  const server = new Map((given.server ?? []).map((standing) => [standing.id, standing]));
  let lastId = Math.max(0, ...server.keys(), ...[...entries.values()].map((entry) => entry.job));
  for (const item of plan.items) {
    const { key, action, jobId, patch, publish } = item;
    const content = contents.get(key) ?? {};
    const id = action === 'create' ? ++lastId : (jobId ?? 0);
    const standing = server.get(id);
    const sent = make(action === 'create' ? content : patch);
    const status = publish ? 'ACTIVE' : action === 'close' ? 'CLOSED' : (standing?.status ?? 'DRAFT');
    const answer = job(id, sent, { ...(standing ? { ...standing, ...sent } : {}), status });
    const isCall = ['create', 'update', 'publish', 'close'].includes(action);
    if (isCall) server.set(id, answer);
    const before = entries.get(key);
    if (action === 'create') entries.set(key, entryAfterCreate(content, answer));
    else if (action !== 'held' && before !== undefined) {
      const wanted = { digests: fieldDigests(content), opportunityId: content.opportunityId || undefined };
      const entry = updateEntry(item, wanted, before, isCall ? answer : undefined);
      if (entry === undefined) entries.delete(key);
      else entries.set(key, entry);
    }
  }
  return { state: Object.fromEntries(entries), server: [...server.values()] };
}

/** Formats a plan with one line per item and notice. */
export function linesOf({ items, notices }: Plan): string[] {
  return [...items.map(itemLine), ...notices.map(noticeLine)];
}

function itemLine(item: PlanItem): string {
  const { key, action, jobId, publish, patch, changes, notes, was, replaces, forget } = item;
  const parts = [
    action,
    key,
    jobId && `job ${jobId}`,
    action === 'update'
      ? `{${Object.keys(patch)}}`
      : changes.length > 0 && `~{${changes.map(({ field }) => field)}}`,
    publish && '+publish',
    was && `was ${was}`,
    replaces && `for ${replaces}`,
    forget && 'forget',
    ...notes.map(({ code }) => code),
  ];
  return parts.filter(Boolean).join(' ');
}

function noticeLine({ key, jobId, changes, notes }: PlanNotice): string {
  const fields = changes.length > 0 && `~{${changes.map(({ field }) => field)}}`;
  return ['notice', key, `job ${jobId}`, fields, ...notes.map(({ code }) => code)].filter(Boolean).join(' ');
}

/** Returns the state entry of an applied listing. `answered` has the values that the server changed. */
export function applied(job: number, content: JobUpdate, answered?: JobUpdate): StateEntry {
  return {
    job,
    ...(content.opportunityId ? { opportunityId: content.opportunityId } : {}),
    applied: fieldDigests(content),
    ...(answered ? { answered: fieldDigests(answered) } : {}),
  };
}

/** Returns a job as a server returns it, with all fields, IDs and unknown fields. */
export function job(id: number, content: JobUpdate, over: Readonly<Record<string, unknown>> = {}): ServerJob {
  const { locations = [], qualifications = [], questions = [] } = content;
  return {
    ...EMPTY_CONTENT,
    ...content,
    locations: locations.map((location) => ({ displayName: `${location.city} etc.`, ...location })),
    qualifications: qualifications.map((entry, index) => ({ id: `q${id}-${index}`, ...entry })),
    questions: questions.map((entry, index) => ({ id: `s${id}-${index}`, ...entry })),
    id,
    status: 'ACTIVE',
    isFrozen: false,
    boost: 7,
    ...over,
  };
}

/** A test case in JSON. Entries and jobs are arguments of `applied` and `job`, or complete jobs. */
export interface Written extends Omit<Given, 'state' | 'server'> {
  readonly state: Readonly<Record<string, Parameters<typeof applied>>>;
  readonly server: readonly (Parameters<typeof job> | ServerJob)[];
}

export function givenOf({ state, server, ...rest }: Written): Given {
  return {
    ...rest,
    state: Object.fromEntries(Object.entries(state).map(([key, entry]) => [key, applied(...entry)])),
    server: server.map((each) => (Array.isArray(each) ? job(...(each as Parameters<typeof job>)) : each)),
  };
}

function factsOf(job: ServerJob): JobFacts {
  return { id: job.id, status: String(job.status), isFrozen: job.isFrozen === true, job };
}

function intent(key: string): Intent {
  return { key, idempotencyKey: `k-${key}`, at: 0, body: {} };
}
