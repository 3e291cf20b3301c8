import { LIMITS } from '../../contract/values.ts';
import type { Places } from '../../places/place-names.ts';
import { checkListing } from '../check/findings.ts';
import { guessPlaces } from '../places/guess-places.ts';
import { createPlaceMemory, resolveTextPlaces } from '../places/place-problems.ts';
import { type Listing, toMappingKey } from '../read/listing.ts';

export interface UnclearValue {
  /** Key of the map in `_defaults.yaml`. */
  readonly part: 'values' | 'places';
  readonly text: string;
  /** Names of places, or `ignore`. */
  readonly to: string | readonly string[];
  readonly doubt: string;
}

/** Pay isn't included, because ignored amounts would be missing without an error. */
const FIELDS = ['locations', 'remoteOption', 'jobType', 'jobLevel', 'atsJobUrl'];

/** Returns guessed places and unreadable values. The mapping ignores the unreadable ones. */
export async function listUnclear(listings: readonly Listing[], country: string | undefined, places: Places) {
  const found = new Map<string, UnclearValue>();
  const add = (value: UnclearValue) => found.set(`${value.part} ${toMappingKey(value.text)}`, value);
  const addGuess = (text: string, names: readonly string[]) => {
    const to = names[1] ? names : (names[0] ?? 'ignore');
    add({ part: 'places', text: text.trim(), to, doubt: names[0] ? 'guessed' : 'not a city' });
  };
  const memory = createPlaceMemory({ places });
  for (const given of listings) {
    const listing = await guessPlaces({ ...given, country }, memory, LIMITS.arrayEntries, addGuess);
    const textPlace = await resolveTextPlaces(listing.value, memory, LIMITS.arrayEntries);
    const values = listing.value as Readonly<Record<string, unknown>>;
    const { findings } = checkListing(listing, { draft: true, places: memory.places, textPlace });
    for (const { level, field, hint = '' } of findings) {
      const [name = '', at = 0] = field.split(/\W/);
      const text = [values[name]].flat()[Number(at)];
      if (level !== 'error' || typeof text !== 'string' || !FIELDS.includes(name)) continue;
      const part = name === 'locations' ? 'places' : 'values';
      add({ part, text: text.trim(), to: 'ignore', doubt: hint });
    }
  }
  return [...found.values()];
}
