import type { SourceFields, SourcePosting, SourceValue } from '../source-posting.ts';
import { readOf } from './fact.ts';
import { PHRASES, words } from './text.ts';

/**
 * Merges postings of one job in several places, in source order. They must share the ID, title and URL, or have the
 * same opening and identical text except for the place. If in doubt, postings stay separate.
 */
export function mergedPostings(given: readonly SourcePosting[]): SourcePosting[] {
  const keyOf = ({ id, fields }: SourcePosting) =>
    JSON.stringify([id, fields.title?.value.trim(), fields.atsJobUrl?.value]);
  const byId = mergedBy(withSoundIds(given), keyOf);
  const merged = mergedBy(byId, (posting) => contentOf(posting) ?? keyOf(posting));
  const [ids, addresses] = [countsOf(merged.map(({ id }) => id)), countsOf(merged.map(addressOf))];
  const seen = new Map<string, number>();
  const distinctIds = merged.map((posting) => {
    const [id, address] = [posting.id, addressOf(posting)];
    // A number depends on the order of the feed. A URL doesn't.
    if (ids.get(id) === 1 || addresses.get(address) === 1)
      return { ...posting, id: ids.get(id) === 1 ? id : address };
    seen.set(id, (seen.get(id) ?? 0) + 1);
    return seen.get(id) === 1 ? posting : { ...posting, id: `${id}-${seen.get(id)}` };
  });
  const all = merged.flatMap(({ ids = [] }) => [...new Set(ids.map(({ value }) => value))]);
  return withSoundIds(distinctIds, countsOf(all));
}

function addressOf({ id, fields }: SourcePosting): string {
  return fields.atsJobUrl?.value ?? id;
}

function countsOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

const ID_WORDS_MAX = 4;

/** Replaces an ID that looks like a sentence or isn't unique with the posting's next ID, and adds a note. */
function withSoundIds(postings: readonly SourcePosting[], counts?: Map<string, number>): SourcePosting[] {
  const whyNot = ({ value }: SourceValue<string>): string | undefined => {
    const [count, parts] = [counts?.get(value) ?? 1, value.split(/\s+/).length];
    if (PHRASES.noIds.includes(words(value))) return 'is a placeholder';
    if (parts > ID_WORDS_MAX || (parts > 1 && !/\p{N}/u.test(value))) return 'is a sentence, not an ID';
    return count > 1 ? `is the ID of ${count} postings` : undefined;
  };
  return postings.map((posting) => {
    const { ids: [first, ...others] = [], fields } = posting;
    const reason = first && whyNot(first);
    if (first === undefined || reason === undefined) return posting;
    const next = others.find((other) => whyNot(other) === undefined) ?? { ...first, value: '' };
    const opportunityId = { ...next, note: `${readOf(first)} ${reason}` };
    const id = posting.id === first.value ? next.value || posting.id : posting.id;
    return { ...posting, id, fields: { ...fields, opportunityId } };
  });
}

function mergedBy(
  postings: Iterable<SourcePosting>,
  keyOf: (posting: SourcePosting) => string,
): SourcePosting[] {
  const merged = new Map<string, SourcePosting>();
  for (const posting of postings) {
    const before = merged.get(keyOf(posting));
    merged.set(keyOf(posting), before === undefined ? posting : inAllPlaces(before, posting));
  }
  return [...merged.values()];
}

/** Undefined where too little is said for another posting to be the same job. */
function contentOf({ fields }: SourcePosting): string | undefined {
  const { title, description, opportunityId, places, atsJobUrl: _, ...rest } = fields;
  if (!title || !description || !opportunityId || !places) return undefined;
  const content = [title.value.trim(), description.value, opportunityId.value, Object.entries(rest).sort()];
  return JSON.stringify(content);
}

type Lists = 'places' | 'salaries' | 'remoteCountries';

/** The first one's words; the id that sorts first, so that the order of a feed changes nothing. */
function inAllPlaces(one: SourcePosting, other: SourcePosting): SourcePosting {
  const [first, second] = [one.fields, other.fields];
  const list = <F extends Lists>(field: F) => {
    const merged = distinct<SourceFields[F][number]>(first[field], second[field]);
    return merged === undefined ? {} : { [field]: merged };
  };
  const fields = { ...second, ...first, ...list('places'), ...list('salaries'), ...list('remoteCountries') };
  return { ...(one.id < other.id ? one : other), fields };
}

function distinct<T>(
  one: SourceValue<readonly T[]> | undefined,
  other: SourceValue<readonly T[]> | undefined,
): SourceValue<readonly T[]> | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const entries = [...one.value, ...other.value].map((entry) => [JSON.stringify(entry), entry] as const);
  return { ...one, value: [...new Map(entries).values()] };
}
