import type { StateEntry } from '../state/state.ts';
import { wholeDigest } from './content.ts';
import { type DesiredListing, listingOfKey, unlistedKey } from './desired-listing.ts';

export interface Match {
  readonly wanted: DesiredListing;
  readonly entry: StateEntry | undefined;
  /** The key that the state has the entry under, where that is another: the listing was moved. */
  readonly was?: string | undefined;
}

interface Orphan {
  /** Where another listing has moved to its key, one that no listing can have. */
  readonly key: string;
  readonly entry: StateEntry;
}

export interface Matching {
  readonly matches: readonly Match[];
  readonly orphans: readonly Orphan[];
}

interface Candidate {
  readonly wanted: DesiredListing;
  entryKey: string | undefined;
}

/**
 * Which remembered listing each wanted one is. No entry is given to two. In this order, each step only for what is
 * still open:
 *
 * 1. the same key and the same content;
 * 2. moved within its file: the same content, which no other listing has there. This goes before the key, so that a row
 *    taken from the top of an array shifts no job;
 * 3. moved: an `opportunityId` that only one wanted listing and one open entry have, where the entry's own listing is
 *    gone, or has an `opportunityId` of its own now. A file that exists outside of this run keeps its entry:
 *    two files with one `opportunityId` are two postings;
 * 4. the same key.
 *
 * `isGone` says of a key that its file is no longer there, or holds fewer listings.
 */
export function matchListings(
  wanted: readonly DesiredListing[],
  entries: ReadonlyMap<string, StateEntry>,
  isGone: (key: string) => boolean,
): Matching {
  const all = wanted.map((listing): Candidate => ({ wanted: listing, entryKey: undefined }));
  const taken = new Set<string>();
  const steps: Steps = {
    entries,
    taken,
    isGone,
    take: (candidate, entryKey) => {
      candidate.entryKey = entryKey;
      taken.add(entryKey);
    },
  };
  for (const step of [matchUnchanged, matchWithinFiles, matchByOpportunity, matchByKey]) {
    const open = all.filter(({ entryKey }) => entryKey === undefined);
    if (open.length > 0 && taken.size < entries.size) step(open, steps, all);
  }
  const orphans = taken.size < entries.size ? orphansOf(all, entries, taken) : [];
  return { matches: all.map((candidate) => matchOf(candidate, entries)), orphans };
}

/** The entries as they are called from now on. An apply writes them in one step, as some have changed places. */
export function rekeyed({ matches, orphans }: Matching): ReadonlyMap<string, StateEntry> {
  const entries = new Map<string, StateEntry>();
  for (const { entry, wanted } of matches) {
    if (entry !== undefined) entries.set(wanted.key, withOpportunity(entry, wanted.opportunityId));
  }
  for (const { key, entry } of orphans) entries.set(key, entry);
  return entries;
}

function withOpportunity(entry: StateEntry, opportunityId: string | undefined): StateEntry {
  if (opportunityId === entry.opportunityId) return entry;
  const { opportunityId: _, ...rest } = entry;
  return opportunityId ? { ...rest, opportunityId } : rest;
}

interface Steps {
  readonly entries: ReadonlyMap<string, StateEntry>;
  readonly taken: ReadonlySet<string>;
  readonly isGone: (key: string) => boolean;
  readonly take: (candidate: Candidate, entryKey: string) => void;
}

function matchUnchanged(open: readonly Candidate[], { entries, take }: Steps): void {
  for (const candidate of open) {
    const { key, digest } = candidate.wanted;
    const entry = entries.get(key);
    if (entry !== undefined && digest === wholeDigest(entry.applied)) take(candidate, key);
  }
}

function matchWithinFiles(open: readonly Candidate[], steps: Steps): void {
  const contentAt = (path: string, digest: string): string => `${digest} ${path}`;
  matchByUniqueName(open, steps, {
    ofListing: ({ path, digest }) => contentAt(path, digest),
    ofEntry: (key, { applied }) => contentAt(listingOfKey(key).path, wholeDigest(applied)),
  });
}

function matchByOpportunity(open: readonly Candidate[], steps: Steps, all: readonly Candidate[]): void {
  // Keys of listings of another opening, or that have found their entry elsewhere.
  const replaced = new Set<string>();
  // An opening with several postings identifies none of them, also where some have their entry already.
  const ambiguous = new Set<string | undefined>();
  for (const { wanted, entryKey } of all) {
    const { key, opportunityId } = wanted;
    if (entryKey !== undefined) ambiguous.add(opportunityId);
    if (entryKey !== undefined ? entryKey !== key : Boolean(opportunityId)) replaced.add(key);
  }
  matchByUniqueName(open, steps, {
    ofListing: ({ opportunityId }) => (ambiguous.has(opportunityId) ? undefined : opportunityId),
    ofEntry: (_, { opportunityId }) => opportunityId,
    canMove: (key) => replaced.has(key) || steps.isGone(key),
  });
}

/** Gives entries to listings by a name that only one open listing and only one open entry have. */
function matchByUniqueName(
  open: readonly Candidate[],
  { entries, taken, take }: Steps,
  names: {
    readonly ofListing: (wanted: DesiredListing) => string | undefined;
    readonly ofEntry: (key: string, entry: StateEntry) => string | undefined;
    readonly canMove?: (key: string) => boolean;
  },
): void {
  const { ofListing, ofEntry, canMove = () => true } = names;
  const listings = uniquelyNamed(open, ({ wanted }) => ofListing(wanted));
  const left = [...entries].filter(([key]) => !taken.has(key));
  for (const [name, [key]] of uniquelyNamed(left, ([key, entry]) => ofEntry(key, entry))) {
    const candidate = listings.get(name);
    if (candidate !== undefined && canMove(key)) take(candidate, key);
  }
}

function uniquelyNamed<Value>(
  values: readonly Value[],
  nameOf: (value: Value) => string | undefined,
): ReadonlyMap<string, Value> {
  const named = new Map<string, Value>();
  const repeated = new Set<string>();
  for (const value of values) {
    const name = nameOf(value);
    if (!name) continue;
    if (named.has(name)) repeated.add(name);
    named.set(name, value);
  }
  for (const name of repeated) named.delete(name);
  return named;
}

function matchByKey(open: readonly Candidate[], { entries, taken, take }: Steps): void {
  for (const candidate of open) {
    const { key } = candidate.wanted;
    if (entries.has(key) && !taken.has(key)) take(candidate, key);
  }
}

function orphansOf(
  all: readonly Candidate[],
  entries: ReadonlyMap<string, StateEntry>,
  taken: ReadonlySet<string>,
): Orphan[] {
  const occupied = new Set<string>();
  for (const { wanted, entryKey } of all) {
    if (entryKey !== undefined && entryKey !== wanted.key) occupied.add(wanted.key);
  }
  const left = [...entries].filter(([key]) => !taken.has(key));
  return left.map(([key, entry]) => ({
    key: occupied.has(key) ? unlistedKey(listingOfKey(key).path, entry.job) : key,
    entry,
  }));
}

function matchOf({ wanted, entryKey }: Candidate, entries: ReadonlyMap<string, StateEntry>): Match {
  const entry = entryKey === undefined ? undefined : entries.get(entryKey);
  return entryKey === undefined || entryKey === wanted.key
    ? { wanted, entry }
    : { wanted, entry, was: entryKey };
}
