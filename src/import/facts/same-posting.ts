import { groupBy } from '../../text/group-by.ts';
import { words } from '../../text/words.ts';
import type { SourcePosting, SourceValue } from '../source-posting.ts';
import { describeSource, PHRASES } from './fact.ts';

/** Merges postings of one job in several places. They must share ID, title and URL, or all content except the place. */
export function mergePostings(given: readonly SourcePosting[]): SourcePosting[] {
  const toKey = ({ id, fields }: SourcePosting) =>
    JSON.stringify([id, fields.title?.value.trim(), fields.atsJobUrl?.value]);
  const byId = mergeByKey(withSoundIds(given), toKey);
  const merged = mergeByKey(byId, (posting) => toContentKey(posting) ?? toKey(posting));
  const [byFirstId, byAddress] = [groupBy(merged, ({ id }) => id), groupBy(merged, getAddress)];
  const seen = new Map<string, number>();
  const distinctIds = merged.map((posting) => {
    const [id, address] = [posting.id, getAddress(posting)];
    // Prefers the URL to a number, because numbers depend on the order of the feed.
    const isUnique = byFirstId.get(id)?.length === 1;
    if (isUnique || byAddress.get(address)?.length === 1) return { ...posting, id: isUnique ? id : address };
    seen.set(id, (seen.get(id) ?? 0) + 1);
    return seen.get(id) === 1 ? posting : { ...posting, id: `${id}-${seen.get(id)}` };
  });
  const all = merged.flatMap(({ ids = [] }) => [...new Set(ids.map(({ value }) => value))]);
  return withSoundIds(distinctIds, groupBy(all, String));
}

function getAddress({ id, fields }: SourcePosting): string {
  return fields.atsJobUrl?.value ?? id;
}

const ID_WORDS_MAX = 4;

/** Replaces an ID that isn't unique or looks like a sentence with the posting's next ID, and adds a note. */
function withSoundIds(postings: readonly SourcePosting[], uses?: ReadonlyMap<string, readonly string[]>) {
  const whyNot = ({ value }: SourceValue<string>): string | undefined => {
    const [count, parts] = [uses?.get(value)?.length ?? 1, value.split(/\s+/).length];
    if (PHRASES.noIds.includes(words(value))) return 'is a placeholder';
    if (parts > ID_WORDS_MAX || (parts > 1 && !/\p{N}/u.test(value))) return 'is a sentence, not an ID';
    return count > 1 ? `is the ID of ${count} postings` : undefined;
  };
  return postings.map((posting) => {
    const { ids: [first, ...others] = [], fields } = posting;
    const reason = first && whyNot(first);
    if (first === undefined || reason === undefined) return posting;
    const next = others.find((other) => whyNot(other) === undefined) ?? { ...first, value: '' };
    const opportunityId = { ...next, note: `${describeSource(first)} ${reason}` };
    const id = posting.id === first.value ? next.value || posting.id : posting.id;
    return { ...posting, id, fields: { ...fields, opportunityId } };
  });
}

function mergeByKey(postings: readonly SourcePosting[], keyOf: (posting: SourcePosting) => string) {
  return Array.from(groupBy(postings, keyOf).values(), (same) => same.reduce(addPlaces));
}

function toContentKey({ fields }: SourcePosting): string | undefined {
  const { title, description, opportunityId, places, department: _, atsJobUrl: __, ...rest } = fields;
  if (!title || !description || !opportunityId || !places) return undefined;
  const content = [title.value.trim(), description.value, opportunityId.value, Object.entries(rest).sort()];
  return JSON.stringify(content);
}

const MERGED_LISTS = ['places', 'salaries', 'remoteCountries'] as const;

/** Prefers the first posting's fields. Uses the smaller ID, so that the ID doesn't depend on the feed's order. */
function addPlaces(one: SourcePosting, other: SourcePosting): SourcePosting {
  const lists = MERGED_LISTS.flatMap((field) => {
    const [first, second] = [one.fields[field], other.fields[field]];
    if (first === undefined || second === undefined) return [];
    const entries = [...first.value, ...second.value].map((entry) => [JSON.stringify(entry), entry] as const);
    return [[field, { ...first, value: [...new Map(entries).values()] }] as const];
  });
  const fields = { ...other.fields, ...one.fields, ...Object.fromEntries(lists) };
  return { ...(one.id < other.id ? one : other), fields };
}
