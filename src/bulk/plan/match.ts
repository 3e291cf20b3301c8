import type { StateEntry } from '../state/state.ts';
import { wholeDigest } from './content.ts';
import type { DesiredListing } from './desired-listing.ts';
import { listingKey, listingOfKey, unlistedKey } from './listing-key.ts';

/** A wanted listing with what is remembered of it. */
export interface Match {
  readonly key: string;
  readonly wanted: DesiredListing;
  /** Undefined where it has no job yet. */
  readonly entry: StateEntry | undefined;
  /** The key that the state has the entry under, where that is another: the listing was moved. */
  readonly was?: string | undefined;
}

/** A remembered listing that is not among the wanted ones. */
interface Orphan {
  /** From now on: where another listing has moved to its key, it has one that no listing can have. */
  readonly key: string;
  readonly entry: StateEntry;
  /** The key that the state has the entry under, where that is another. */
  readonly was?: string | undefined;
}

export interface Matching {
  /** In the order of the wanted ones. */
  readonly matches: readonly Match[];
  /** In the order of the state. */
  readonly orphans: readonly Orphan[];
}

/** One wanted listing while the passes go over it. */
interface Open {
  readonly key: string;
  readonly wanted: DesiredListing;
  entryKey: string | undefined;
}

/**
 * Which remembered listing each wanted one is: no entry is ever given to two. In this order, each only over
 * what is still open:
 *
 * 1. the same key and the same content;
 * 2. moved within its file: the same content, which no other has there;
 * 3. moved: an `opportunityId` that only one wanted listing has and only one open entry, whose own listing is
 *    gone, or has an `opportunityId` of its own now. A file that exists outside of this run keeps its entry:
 *    two files with one `opportunityId` are two postings;
 * 4. the same key.
 *
 * Content within a file goes before the key: a row taken from the top of an array shifts no job, also where
 * all rows are postings of one opening.
 *
 * `isGone` says of a key that its file is no longer there, or was read in this run and does not go as far.
 */
export function matchListings(
  wanted: readonly DesiredListing[],
  entries: ReadonlyMap<string, StateEntry>,
  isGone: (key: string) => boolean,
): Matching {
  const all = wanted.map(
    (listing): Open => ({
      key: listingKey(listing.path, listing.index),
      wanted: listing,
      entryKey: undefined,
    }),
  );
  const taken = new Set<string>();
  const take = (listing: Open, entryKey: string): void => {
    listing.entryKey = entryKey;
    taken.add(entryKey);
  };
  const parts: Parts = { entries, taken, isGone, take };
  if (entries.size > 0) {
    let open = all;
    const isLeft = () => {
      open = open.filter(({ entryKey }) => entryKey === undefined);
      return open.length > 0 && taken.size < entries.size;
    };
    const passes = [
      () => matchInPlace(open, parts, ({ digest }, { applied }) => digest === wholeDigest(applied)),
      () => matchWithinFiles(open, parts),
      () => matchByOpportunity(all, open, parts),
      () => matchInPlace(open, parts, () => true),
    ];
    for (const pass of passes) if (isLeft()) pass();
  }
  const orphans = taken.size < entries.size ? orphansOf(all, entries, taken) : [];
  return { matches: all.map((listing) => matchOf(listing, entries)), orphans };
}

/**
 * The entries under the keys, and with the `opportunityId`, that they have from now on: what an apply begins
 * with, so that the next run finds the same listings whatever becomes of the items. Entries change places, so
 * this is one step; to put them one by one under their new keys would write over some that are yet to move.
 */
export function rekeyed({ matches, orphans }: Matching): ReadonlyMap<string, StateEntry> {
  const entries = new Map<string, StateEntry>();
  for (const { key, entry, wanted } of matches) {
    if (entry !== undefined) entries.set(key, withOpportunity(entry, wanted.opportunityId));
  }
  for (const { key, entry } of orphans) entries.set(key, entry);
  return entries;
}

function withOpportunity(entry: StateEntry, opportunityId: string | undefined): StateEntry {
  if ((opportunityId || undefined) === entry.opportunityId) return entry;
  const { opportunityId: _, ...rest } = entry;
  return opportunityId ? { ...rest, opportunityId } : rest;
}

interface Parts {
  readonly entries: ReadonlyMap<string, StateEntry>;
  readonly taken: ReadonlySet<string>;
  readonly isGone: (key: string) => boolean;
  readonly take: (listing: Open, entryKey: string) => void;
}

/** Passes 1 and 4. */
function matchInPlace(
  open: readonly Open[],
  { entries, taken, take }: Parts,
  isSame: (wanted: DesiredListing, entry: StateEntry) => boolean,
): void {
  for (const listing of open) {
    const entry = entries.get(listing.key);
    if (entry !== undefined && !taken.has(listing.key) && isSame(listing.wanted, entry)) {
      take(listing, listing.key);
    }
  }
}

function matchByOpportunity(
  all: readonly Open[],
  open: readonly Open[],
  { entries, taken, isGone, take }: Parts,
): void {
  const listings = new Unique<Open>();
  for (const listing of open) listings.add(listing.wanted.opportunityId, listing);
  // Also those that have their entry already: an opening with several postings tells none of them apart.
  for (const listing of all) {
    if (listing.entryKey !== undefined) listings.spoil(listing.wanted.opportunityId);
  }
  const movable = new Unique<string>();
  for (const [key, { opportunityId }] of entries) {
    if (!taken.has(key) && listings.get(opportunityId) !== undefined) movable.add(opportunityId, key);
  }
  // At these keys another listing stands now: one of another opening, or one that has found its entry elsewhere.
  const replaced = new Set<string>();
  for (const { key, wanted, entryKey } of all) {
    if (entryKey !== undefined ? entryKey !== key : Boolean(wanted.opportunityId)) replaced.add(key);
  }
  for (const [opportunityId, key] of movable.all()) {
    const listing = listings.get(opportunityId);
    if (listing !== undefined && (replaced.has(key) || isGone(key))) take(listing, key);
  }
}

function matchWithinFiles(open: readonly Open[], { entries, taken, take }: Parts): void {
  const listings = new Unique<Open>();
  const paths = new Set<string>();
  for (const listing of open) {
    listings.add(contentAt(listing.wanted.path, listing.wanted.digest), listing);
    paths.add(listing.wanted.path);
  }
  const movable = new Unique<string>();
  for (const [key, entry] of entries) {
    if (taken.has(key)) continue;
    const { path } = listingOfKey(key);
    if (paths.has(path)) movable.add(contentAt(path, wholeDigest(entry.applied)), key);
  }
  for (const [content, key] of movable.all()) {
    const listing = listings.get(content);
    if (listing !== undefined) take(listing, key);
  }
}

function orphansOf(
  all: readonly Open[],
  entries: ReadonlyMap<string, StateEntry>,
  taken: ReadonlySet<string>,
): Orphan[] {
  const occupied = new Set<string>();
  for (const { key, entryKey } of all) if (entryKey !== undefined && entryKey !== key) occupied.add(key);
  const orphans: Orphan[] = [];
  for (const [key, entry] of entries) {
    if (taken.has(key)) continue;
    const { path } = listingOfKey(key);
    orphans.push(occupied.has(key) ? { key: unlistedKey(path, entry.job), entry, was: key } : { key, entry });
  }
  return orphans;
}

function contentAt(path: string, digest: string): string {
  return `${digest} ${path}`;
}

function matchOf({ key, wanted, entryKey }: Open, entries: ReadonlyMap<string, StateEntry>): Match {
  if (entryKey === undefined) return { key, wanted, entry: undefined };
  const entry = entries.get(entryKey);
  return entryKey === key ? { key, wanted, entry } : { key, wanted, entry, was: entryKey };
}

/** What only one has. */
class Unique<Value> {
  readonly #values = new Map<string, Value | undefined>();

  add(name: string | undefined, value: Value): void {
    if (name) this.#values.set(name, this.#values.has(name) ? undefined : value);
  }

  /** Makes a name that is there one that several have. */
  spoil(name: string | undefined): void {
    if (name && this.#values.has(name)) this.#values.set(name, undefined);
  }

  get(name: string | undefined): Value | undefined {
    return name ? this.#values.get(name) : undefined;
  }

  *all(): Generator<[string, Value]> {
    for (const [name, value] of this.#values) if (value !== undefined) yield [name, value];
  }
}
