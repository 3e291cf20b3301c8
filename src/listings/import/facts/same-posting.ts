import type { SourceFields, SourcePosting, SourceValue } from '../source-posting.ts';
import { countsOf, withSoundIds } from './opening-id.ts';

/**
 * Postings that are one job in several places as one posting, in the order of the source: the same id, title and
 * address, or the same opening with every word the same but its place. What is not surely the same job stays apart.
 */
export function mergedPostings(given: readonly SourcePosting[]): SourcePosting[] {
  const keyOf = ({ id, fields }: SourcePosting) =>
    JSON.stringify([id, fields.title?.value.trim(), fields.atsJobUrl?.value]);
  const byId = mergedBy(withSoundIds(given, false), keyOf);
  const byContent = mergedBy(byId, (posting) => contentOf(posting) ?? keyOf(posting));
  return withSoundIds(distinctIds(byContent), true);
}

/** An id of several jobs gives way to the address of each: a number depends on the order of the feed. */
function distinctIds(postings: readonly SourcePosting[]): SourcePosting[] {
  const addressOf = ({ fields }: SourcePosting) => fields.atsJobUrl?.value ?? '';
  const [ids, addresses] = [countsOf(postings.map(({ id }) => id)), countsOf(postings.map(addressOf))];
  const seen = new Map<string, number>();
  return postings.map((posting) => {
    const address = addressOf(posting);
    if (ids.get(posting.id) === 1) return posting;
    if (address !== '' && addresses.get(address) === 1) return { ...posting, id: address };
    const count = (seen.get(posting.id) ?? 0) + 1;
    seen.set(posting.id, count);
    return count === 1 ? posting : { ...posting, id: `${posting.id}-${count}` };
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
