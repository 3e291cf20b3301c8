import type { LocationSuggestion } from '../../contract/job.ts';
import { normalise } from '../../contract/place-names.ts';
import type { Places } from '../../contract/places.ts';
import { countries, REGION_ALIASES } from '../../contract/regions.ts';
import { wordSearch } from './word-search.ts';

/** Where a job is done. */
export interface Whereabouts {
  readonly locations: readonly LocationSuggestion[];
  /** Where remote employees may work; null for a job that is not REMOTE. */
  readonly remoteCountry: string | null;
}

/** Fewer letters are a region or a country, if a place at all. */
const PLACE_CHARACTERS_MIN = 3;

/**
 * Whether a job is at a place that somebody looks for: by the names that its listing has for it, by other names that
 * the location search knows best (NYC, München), or by what people write for a region or a country (TX, USA).
 */
export function placeSearch(text: string, places: Places): (job: Whereabouts) => boolean {
  const hasWords = wordSearch(text);
  const named = normalise(text);
  const isNamed = areasOf(named);
  const known = named.length < PLACE_CHARACTERS_MIN ? undefined : places.search({ q: text, limit: 1 })[0];
  const isThere = (place: LocationSuggestion): boolean =>
    place.locationId === known?.locationId ||
    hasWords(place.displayName, place.city, place.stateProvince, place.country) ||
    isNamed(normalise(place.country), normalise(place.stateProvince));
  return ({ locations, remoteCountry }) =>
    locations.some(isThere) ||
    (remoteCountry !== null && (hasWords(remoteCountry) || isNamed(normalise(remoteCountry))));
}

/** Whether a country, or a region of it, is one that is `named`; all of them normalised. */
function areasOf(named: string): (country: string, region?: string) => boolean {
  const whole = new Set<string>();
  const regions = new Set<string>();
  for (const { code, alpha3, name, aliases } of countries()) {
    const names = [code, alpha3, name, ...aliases].map(normalise);
    if (names.includes(named)) for (const one of names) whole.add(one);
    for (const [alias, region] of Object.entries(REGION_ALIASES[code] ?? {})) {
      if (normalise(alias) === named) regions.add(`${normalise(region)}, ${normalise(name)}`);
    }
  }
  return (country, region) => whole.has(country) || regions.has(`${region}, ${country}`);
}
