import type { StateEntry } from '../state/state.ts';
import { wholeDigest } from './content.ts';
import { type DesiredListing, listingOfKey, unlistedKey } from './desired-listing.ts';

export interface Match {
  readonly wanted: DesiredListing;
  readonly entry: StateEntry | undefined;
  /** The key that the state has the entry under, where that is another: the listing was moved. */
  readonly was?: string | undefined;
}

export interface Matching {
  readonly matches: readonly Match[];
  /** `key`: where another listing has moved to it, one that no listing can have. */
  readonly orphans: readonly { readonly key: string; readonly entry: StateEntry }[];
}

interface Candidate {
  readonly wanted: DesiredListing;
  entryKey: string | undefined;
}

/** Which remembered listing each wanted one is, by the steps of docs/bulk.md, "Renames". No entry is given to two. */
export function matchListings(
  wanted: readonly DesiredListing[],
  entries: ReadonlyMap<string, StateEntry>,
  isGone: (key: string) => boolean,
): Matching {
  const all = wanted.map((listing): Candidate => ({ wanted: listing, entryKey: undefined }));
  const left = new Map(entries);
  const take = (candidate: Candidate, entryKey: string): void => {
    candidate.entryKey = entryKey;
    left.delete(entryKey);
  };
  const isOpen = ({ entryKey }: Candidate): boolean => entryKey === undefined;
  const matchByKey = (isSame: (wanted: DesiredListing, entry: StateEntry) => boolean): void => {
    for (const candidate of all.filter(isOpen)) {
      const entry = left.get(candidate.wanted.key);
      if (entry !== undefined && isSame(candidate.wanted, entry)) take(candidate, candidate.wanted.key);
    }
  };
  /** By a name that only one open listing and only one open entry have. */
  const matchByName = (
    ofListing: (wanted: DesiredListing) => string | undefined,
    ofEntry: (key: string, entry: StateEntry) => string | undefined,
    canMove: (key: string) => boolean,
  ): void => {
    if (left.size === 0) return;
    const listings = uniquelyNamed(all.filter(isOpen), (candidate) => ofListing(candidate.wanted));
    for (const [name, [key]] of uniquelyNamed([...left], ([key, entry]) => ofEntry(key, entry))) {
      const candidate = listings.get(name);
      if (candidate !== undefined && canMove(key)) take(candidate, key);
    }
  };

  matchByKey(({ digest }, { applied }) => digest === wholeDigest(applied));
  // Before the key alone, so that a row taken from the top of an array shifts no job.
  matchByName(
    ({ path, digest }) => `${digest} ${path}`,
    (key, { applied }) => `${wholeDigest(applied)} ${listingOfKey(key).path}`,
    () => true,
  );
  // An opening with several postings identifies none of them, also where some have their entry already.
  const found = all.filter((candidate) => !isOpen(candidate));
  const ambiguous = new Set(found.map((candidate) => candidate.wanted.opportunityId));
  // At these keys is a listing of another opening by now, or one that has found its entry elsewhere.
  const replaced = new Set(
    all
      .filter(({ entryKey, wanted: { key, opportunityId } }) =>
        entryKey === undefined ? Boolean(opportunityId) : entryKey !== key,
      )
      .map((candidate) => candidate.wanted.key),
  );
  matchByName(
    ({ opportunityId }) => (ambiguous.has(opportunityId) ? undefined : opportunityId),
    (_, { opportunityId }) => opportunityId,
    (key) => replaced.has(key) || isGone(key),
  );
  matchByKey(() => true);

  const occupied = new Set(
    all.flatMap(({ entryKey, wanted: { key } }) => (entryKey === undefined ? [] : key)),
  );
  return {
    matches: all.map(({ wanted: listing, entryKey }) => ({
      wanted: listing,
      entry: entryKey === undefined ? undefined : entries.get(entryKey),
      ...(entryKey === undefined || entryKey === listing.key ? {} : { was: entryKey }),
    })),
    orphans: Array.from(left, ([key, entry]) => ({
      key: occupied.has(key) ? unlistedKey(listingOfKey(key).path, entry.job) : key,
      entry,
    })),
  };
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
