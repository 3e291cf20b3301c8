import { CONTENT_FIELDS, type JobContent } from '../../contract/job.ts';
import { groupBy } from '../../text/group-by.ts';
import type { StateEntry } from '../state/state.ts';
import { EMPTY_DIGEST } from './content.ts';
import type { DesiredListing } from './desired-listing.ts';

export type ListingSide = Pick<
  DesiredListing,
  'key' | 'path' | 'digest' | 'digests' | 'opportunityId' | 'name'
>;

export interface Remembered extends ListingSide {
  readonly entry: StateEntry;
}

export type NameOf = (side: ListingSide) => string | undefined;

export const byName: NameOf = ({ name }) => name;
export const byOpening: NameOf = ({ opportunityId }) => opportunityId;
export const byContent: NameOf = ({ digest }) => digest;
export const byTitle = byFields('title');
export const byText = byFields('description');
export const BY_TITLE: readonly NameOf[] = [
  byFields('title', 'locations', 'remoteCountry', 'description'),
  byFields('title', 'locations', 'remoteCountry'),
  byTitle,
];
/** All fields except `opportunityId`, which may have been corrected. */
export const byAllButOpening: NameOf = (side) =>
  side.opportunityId && listDigests(side, fieldsBut('opportunityId')).join();
export const byAllButTitle: NameOf = (side) => byText(side) && listDigests(side, fieldsBut('title')).join();

export const inFile =
  (nameOf: NameOf): NameOf =>
  (side) => {
    const name = nameOf(side);
    return name && `${side.path}\n${name}`;
  };

export function canBe(one: ListingSide, other: ListingSide): boolean {
  return areNamedAlike(one, other) && isSameOrNone(one.opportunityId, other.opportunityId);
}

export function areNamedAlike(one: ListingSide, other: ListingSide): boolean {
  return isSameOrNone(one.name, other.name);
}

function isSameOrNone(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}

export function isSimilar(one: ListingSide, other: ListingSide): boolean {
  const { same, all } = inCommon(one, other, OTHER_FIELDS);
  return hasSame(byTitle, one, other) && same * 2 >= all;
}

export function hasMost(one: ListingSide, other: ListingSide): boolean {
  const { same, all } = inCommon(one, other, CONTENT_FIELDS);
  return same * 2 > all;
}

export function hasSame(nameOf: NameOf, one: ListingSide, other: ListingSide): boolean {
  const name = nameOf(one);
  return name !== undefined && name === nameOf(other);
}

export function isInSamePlace(one: ListingSide, other: ListingSide): boolean {
  const { same, all } = inCommon(one, other, PLACE_FIELDS);
  return same === all;
}

const PLACE_FIELDS = ['locations', 'remoteCountry'] as const;
const OTHER_FIELDS = CONTENT_FIELDS.filter((field) => field !== 'title' && field !== 'opportunityId');

function inCommon(one: ListingSide, other: ListingSide, fields: readonly (keyof JobContent)[]) {
  const [digests, others] = [listDigests(one, fields), listDigests(other, fields)];
  const given = digests.flatMap((digest, at) => {
    const isEmpty = digest === EMPTY_DIGEST && others[at] === EMPTY_DIGEST;
    return isEmpty ? [] : [digest === others[at]];
  });
  return { same: given.filter(Boolean).length, all: given.length };
}

function listDigests({ digests }: ListingSide, fields: readonly (keyof JobContent)[]): string[] {
  return fields.map((field) => digests[field] ?? EMPTY_DIGEST);
}

function fieldsBut(omitted: keyof JobContent): (keyof JobContent)[] {
  return CONTENT_FIELDS.filter((field) => field !== omitted);
}

function byFields(...fields: readonly [keyof JobContent, ...(keyof JobContent)[]]): NameOf {
  return (side) => {
    const digests = listDigests(side, fields);
    return digests[0] === EMPTY_DIGEST ? undefined : digests.join();
  };
}

export function listIdentities({ digest, opportunityId, name }: ListingSide): string[] {
  return [digest, opportunityId ?? '', name === undefined ? '' : `key ${name}`].filter((text) => text !== '');
}

const [LOOKALIKES_SHOWN, LOOKALIKES_COMPARED] = [3, 500];

export function lookalikesAmong(
  remembered: readonly Remembered[],
  isCommonText: (side: ListingSide) => boolean,
): (wanted: ListingSide) => readonly Remembered[] {
  const namesOfLook = (side: ListingSide): string[] =>
    [
      byTitle(side),
      byOpening(side),
      isCommonText(side) ? undefined : byText(side),
      byAllButTitle(side),
    ].flatMap((name, at) => (name === undefined ? [] : `${at} ${name}`));
  // Listings without an ID or key come first, because they can match any listing.
  const isBare = ({ opportunityId, name }: Remembered): number => Number(!opportunityId) + Number(!name);
  const looks = remembered
    .toSorted((a, b) => isBare(b) - isBare(a))
    .flatMap((each) => namesOfLook(each).map((name) => ({ name, each })));
  const alike = groupBy(looks, ({ name }) => name);
  return (wanted) => {
    const found = new Set<Remembered>();
    for (const name of namesOfLook(wanted)) {
      for (const [at, { each }] of (alike.get(name) ?? []).entries()) {
        if (at === LOOKALIKES_COMPARED || found.size === LOOKALIKES_SHOWN) break;
        if (canBe(wanted, each)) found.add(each);
      }
    }
    return [...found];
  };
}
