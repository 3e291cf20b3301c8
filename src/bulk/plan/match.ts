import { groupBy } from '../../text/group-by.ts';
import type { StateEntry } from '../state/state.ts';
import { wholeDigest } from './content.ts';
import { buildUnlistedKey, type DesiredListing, listingOfKey } from './desired-listing.ts';
import * as like from './likeness.ts';

export interface Match {
  readonly wanted: DesiredListing;
  readonly entry: StateEntry | undefined;
  readonly was?: string | undefined;
  readonly doubts?: readonly like.Remembered[] | undefined;
  /** True if other listings have the same text, so the text doesn't confirm a match by path. */
  readonly hasCommonText?: boolean | undefined;
}

export interface Matching {
  readonly matches: readonly Match[];
  /** State entries without a listing. `key` differs from the original key if another listing uses that now. */
  readonly orphans: readonly { readonly key: string; readonly entry: StateEntry }[];
}

/** `read` means that the file was read completely or no longer exists. `elsewhere` files aren't in this run's paths. */
export type Whereabouts = 'read' | 'partly read' | 'elsewhere';

type Fits = (wanted: DesiredListing, remembered: like.Remembered) => boolean;

/** Matches listings with state entries as described in docs/bulk.md, "Renames". Uses each entry once. */
export function matchListings(
  wanted: readonly DesiredListing[],
  entries: ReadonlyMap<string, StateEntry>,
  whereIs: (key: string) => Whereabouts,
): Matching {
  const all = Array.from(entries, toRemembered);
  const pairing = new Pairing(wanted, all);
  if (all.some(({ entry }) => entry.adopted !== undefined)) pairing.byName(byAdoption, () => true);
  pairing.byName(like.inFile(like.byName), like.areNamedAlike);
  pairing.atKey((one, other) => one.digest === other.digest && like.canBe(one, other));
  const unclear = pairing.open.size === 0 ? undefined : pairChanged(pairing, wanted, all, whereIs);
  const occupied = new Set(wanted.map(({ key }) => key));
  return {
    matches: wanted.map((listing) => {
      const { key = listing.key, entry } = pairing.found.get(listing) ?? {};
      return { wanted: listing, entry, ...(key !== listing.key && { was: key }), ...unclear?.get(listing) };
    }),
    orphans: Array.from(pairing.left.values(), ({ key, path, entry }) => ({
      key: occupied.has(key) ? buildUnlistedKey(path, entry.job) : key,
      entry: whereIs(key) === 'read' ? { ...entry, gone: true } : entry,
    })),
  };
}

/** A listing linked with `--adopt` is identified by its content at that time, until a change is applied. */
function byAdoption(side: like.ListingSide | like.Remembered): string | undefined {
  return 'entry' in side ? side.entry.adopted : side.digest;
}

function pairChanged(
  pairing: Pairing,
  wanted: readonly DesiredListing[],
  all: readonly like.Remembered[],
  whereIs: (key: string) => Whereabouts,
): ReadonlyMap<DesiredListing, Pick<Match, 'doubts' | 'hasCommonText'>> {
  const { open, left, found } = pairing;
  const isRepeated = (nameOf: like.NameOf) => {
    const groups = [wanted, all].flatMap((side) => [...groupBy<like.ListingSide, unknown>(side, nameOf)]);
    const repeated = new Set(groups.map(([name, { length }]) => (length > 1 ? name : undefined)));
    return (side: like.ListingSide) => repeated.has(nameOf(side));
  };
  const isSharedOpening = isRepeated(like.inFile(like.byOpening));
  pairing.byName(like.inFile((side) => (isSharedOpening(side) ? undefined : side.opportunityId)));
  // Identical listings in a file are interchangeable and keep their order.
  pairing.byName(like.inFile(like.byContent), like.canBe, true);
  pairing.byName(like.inFile(like.byAllButOpening), like.areNamedAlike);

  const isAway: Fits = (_, { key }) => whereIs(key) === 'read';
  const atKey = new Map(Array.from(open, (listing) => [listing.key, listing]));
  const known = new Set([...left.values()].flatMap(like.listIdentities));
  const isNew = (listing: DesiredListing): boolean =>
    open.has(listing) && !like.listIdentities(listing).some((name) => known.has(name));
  /** Stored listings whose key now belongs to a similar new listing, so it's unclear which one matches. */
  const contested = new Set<like.Remembered>();
  const isUncontested: Fits = (_, other) => !contested.has(other);
  const isMoved: Fits = (one, other) => {
    const rival = other.entry.gone ? undefined : atKey.get(other.key);
    const isRival = rival !== undefined && rival !== one && isNew(rival) && like.canBe(rival, other);
    if (isRival && (like.isSimilar(rival, other) || like.hasSame(like.byText, rival, other)))
      contested.add(other);
    return isAway(one, other) && isUncontested(one, other);
  };
  const ofFound = new Set(Array.from(found.keys(), like.byOpening));
  pairing.byName(like.byName, isAway);
  pairing.byName(
    (side) => (ofFound.has(side.opportunityId) ? undefined : side.opportunityId),
    requireAll(like.canBe, isAway),
  );
  pairing.byName(like.byContent, requireAll(like.canBe, isMoved));
  pairing.byName(like.byAllButOpening, requireAll(like.areNamedAlike, isMoved));

  const isCommonText = isRepeated(like.byText);
  const hasOwnText: Fits = (one, other) => like.hasSame(like.byText, one, other) && !isCommonText(one);
  // Listings with the same text in different places are different openings.
  const isSameOpening: Fits = (one, other) => like.isInSamePlace(one, other) || hasOwnText(one, other);
  const isSure = requireAll(like.canBe, like.isSimilar, isAway, isUncontested, isSameOpening);
  pairing.byName(like.inFile(like.byAllButTitle), requireAll(like.canBe, hasOwnText, isAway));
  for (const nameOf of like.BY_TITLE) pairing.byName(like.inFile(nameOf), isSure);
  const isMostly = requireAll(like.canBe, like.hasMost);
  pairing.byName(like.inFile(like.byOpening), requireAll(isMostly, isAway, like.isInSamePlace));
  const isSamePosting: Fits = (one, other) => {
    const isPosting = like.hasSame(like.byOpening, one, other) || like.hasSame(like.byTitle, one, other);
    return hasOwnText(one, other) || (isPosting && like.isInSamePlace(one, other));
  };
  pairing.atKey(requireAll(isMostly, isSamePosting, isUncontested));
  for (const nameOf of like.BY_TITLE) pairing.byName(nameOf, isSure);

  const near = [...left.values()].filter(({ key }) => whereIs(key) !== 'elsewhere');
  const lookalikesOf = like.lookalikesAmong(near, isCommonText);
  const doubts = new Map(Array.from(open, (listing) => [listing, lookalikesOf(listing)]));
  const claimed = new Set([...doubts].flatMap(([{ key }, all]) => all.filter((each) => each.key !== key)));
  // The only listing of a file is identified by its path, unless another listing may match its state entry.
  const isListed = ({ key, entry }: like.Remembered): boolean =>
    !entry.gone && Number.isFinite(listingOfKey(key).index);
  const getPath = ({ path }: like.ListingSide): string => path;
  const [ofListing, ofEntry] = [groupBy(wanted, getPath), groupBy(all.filter(isListed), getPath)];
  pairing.atKey((one, other) => {
    const isOnly = ofListing.get(one.path)?.length === 1 && ofEntry.get(one.path)?.length === 1;
    const isClear = !claimed.has(other) && doubts.get(one)?.every((each) => each === other) === true;
    return isOnly && isListed(other) && isClear && like.areNamedAlike(one, other);
  });
  const unclear = [...doubts].map(
    ([listing, likely]) => [listing, { doubts: likely, hasCommonText: isCommonText(listing) }] as const,
  );
  return new Map(unclear);
}

const requireAll =
  (...checks: readonly Fits[]): Fits =>
  (one, other) =>
    checks.every((fits) => fits(one, other));

class Pairing {
  readonly open: Set<DesiredListing>;
  readonly left: Map<string, like.Remembered>;
  readonly found = new Map<DesiredListing, like.Remembered>();

  constructor(wanted: readonly DesiredListing[], all: readonly like.Remembered[]) {
    this.open = new Set(wanted);
    this.left = new Map(all.map((each) => [each.key, each]));
  }

  atKey(fits: Fits): void {
    for (const listing of this.open) {
      const remembered = this.left.get(listing.key);
      if (remembered !== undefined && fits(listing, remembered)) this.#take(listing, remembered);
    }
  }

  /** Pairs listings whose name is unique on both sides. `inOrder` also pairs duplicates, in order. */
  byName(nameOf: like.NameOf, fits: Fits = like.canBe, inOrder = false): void {
    if (this.open.size === 0 || this.left.size === 0) return;
    const listings = groupBy([...this.open], (each) => nameOf(each) ?? '');
    for (const [name, remembered] of groupBy([...this.left.values()], (each) => nameOf(each) ?? '')) {
      const named = name === '' ? [] : (listings.get(name) ?? []);
      if (!inOrder && named.length + remembered.length > 2) continue;
      for (const [at, listing] of named.entries()) {
        const other = remembered[at];
        if (other !== undefined && fits(listing, other)) this.#take(listing, other);
      }
    }
  }

  #take(listing: DesiredListing, remembered: like.Remembered): void {
    this.found.set(listing, remembered);
    this.open.delete(listing);
    this.left.delete(remembered.key);
  }
}

function toRemembered([key, entry]: readonly [string, StateEntry]): like.Remembered {
  // An update without a response may have succeeded.
  const digests = entry.sent === undefined ? entry.applied : { ...entry.applied, ...entry.sent };
  const { opportunityId, key: name } = entry;
  return {
    key,
    path: listingOfKey(key).path,
    digests,
    digest: wholeDigest(digests),
    opportunityId,
    name,
    entry,
  };
}

/** Returns the entries under their new keys. They must be written in one step, because keys may be swapped. */
export function rekeyEntries({ matches, orphans }: Matching): ReadonlyMap<string, StateEntry> {
  const entries = new Map<string, StateEntry>();
  for (const { entry, wanted } of matches) {
    if (entry === undefined) continue;
    const { gone: _, ...rest } = entry;
    entries.set(wanted.key, wanted.name ? { ...rest, key: wanted.name } : rest);
  }
  for (const { key, entry } of orphans) entries.set(key, entry);
  return entries;
}
