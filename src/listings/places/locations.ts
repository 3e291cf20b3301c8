import type { LocationInput, LocationSuggestion } from '../../contract/job.ts';
import {
  normalise,
  type PlaceSplit,
  type Places,
  placeQueryFault,
  splitAtCommas,
  splitAtWords,
} from '../../contract/place-names.ts';
import { COUNTRIES, countriesByName, REGION_ALIASES } from '../../contract/regions.ts';
import { PLACE_LIMIT_MAX } from '../../contract/values.ts';
import { meaningOf } from './meaning-of.ts';
import { GREAT_CITY_PEOPLE } from './named-place.ts';
import type { PlaceMeaning } from './place-meaning.ts';
import { placeTextOf } from './place-text.ts';

export interface LocationSource {
  search(q: string): Promise<readonly LocationSuggestion[]>;
  /** The place with an id, where the server's searches have shown it. */
  byId?(locationId: number): Promise<LocationSuggestion | undefined>;
  /** The bundled places, where the server has the same: they answer instead of it, and know ids. */
  readonly places?: Places | undefined;
}

/** What a text means: a place's name ("Austin, TX"), its id ("101") or both ("101:Austin"). Throws what the search throws. */
export async function findLocation(text: string, source: LocationSource): Promise<PlaceChoice> {
  const { search, byId, places } = source;
  if (places) return placeAmong(text, places);
  const { id, name } = idAndName(text);
  if (id !== undefined && name === '') return clearOrNone(await byId?.(id));
  const meaning = meaningOf(name, NO_PLACES);
  if (id === undefined && NO_SEARCH.has(meaning.kind)) return { candidates: [], meaning };
  const parts = placeTextOf(name).parts.map((part) => part.text);
  const cleaned = parts.join(', ');
  // The last is for a server that searches by the name alone, and does not know what to do with a region.
  const queries = placeQueryFault(name) ? [] : new Set([name, cleaned, parts[0] ?? '']);
  for (const q of queries) {
    const suggestions = q === '' ? [] : await search(q);
    const choice =
      id === undefined
        ? choosePlace(q === name ? name : cleaned, suggestions)
        : clearOrNone(suggestions.find(({ locationId }) => locationId === id));
    if ('clear' in choice || choice.candidates.length > 0) return choice;
  }
  return { candidates: [], meaning };
}

/** What is never a place's name, whatever places a server has. */
const NO_SEARCH: ReadonlySet<string> = new Set(['remote', 'continent', 'unnamed']);

/** A server's places are not known here; countries are. */
const NO_PLACES: Places = {
  search: () => [],
  named: () => ({ official: [], others: [] }),
  areas(name) {
    const country = countriesByName().get(name);
    if (country === undefined) return [];
    const first = COUNTRIES.indexOf(country);
    return [{ region: '', country: country.name, countryCode: country.code, first, end: first + 1 }];
  },
  largestIn: () => undefined,
  byId: () => undefined,
  nearest: () => [],
};

export function placeAmong(text: string, places: Places): PlaceChoice {
  const { id, name } = idAndName(text);
  const found = () =>
    name === '' || placeQueryFault(name) ? [] : places.search({ q: name, limit: PLACE_LIMIT_MAX });
  if (id === undefined) {
    const meaning = meaningOf(name, places);
    if (meaning.kind === 'place') return { clear: meaning.place };
    if (meaning.kind === 'ambiguous') return { candidates: meaning.candidates, meaning };
    // What a text begins may be what is meant: "Bost".
    const candidates = meaning.kind === 'unknown' ? placesOf(bestSplit(name, found()), found()) : [];
    return { candidates, meaning };
  }
  const place = places.byId(id);
  const isCalled = place !== undefined && normalise(place.displayName).startsWith(normalise(name));
  return clearOrNone(isCalled ? place : found().find(({ locationId }) => locationId === id));
}

/** `101`, `101:Springfield, IL` or a name alone. No place has a colon in its name; digits it may have: 100 Mile House. */
export function idAndName(text: string): { readonly id: number | undefined; readonly name: string } {
  const [, digits, name] = /^\s*(\d+)\s*(?:$|:(.*))/s.exec(text) ?? [];
  return digits === undefined
    ? { id: undefined, name: text.trim() }
    : { id: Number(digits), name: name?.trim() ?? '' };
}

function clearOrNone(place: LocationSuggestion | undefined): PlaceChoice {
  return place === undefined ? { candidates: [] } : { clear: place };
}

/** The four fields of a suggestion that are sent (2.3). */
export function locationInput(place: LocationSuggestion): LocationInput {
  const { locationId, city, stateProvince, country } = place;
  return { locationId, city, stateProvince, country };
}

export function populationIn(places: Places | undefined): (place: LocationSuggestion) => number | undefined {
  return ({ locationId, city }) => {
    const place = places?.byId(locationId);
    return place?.city === city ? place.population : undefined;
  };
}

/** The one place that a text clearly means, or those it may mean and what else it is. */
export type PlaceChoice =
  | { readonly clear: LocationSuggestion }
  | { readonly candidates: readonly LocationSuggestion[]; readonly meaning?: PlaceMeaning };

/** A name alone means a place that is so many times larger: London is not the one in Ontario. */
const OVERWHELMING = 10;

/** Where no place has just that name, the text is another name (NYC, Wien), which few share. */
const MUCH_LARGER = 4;

/** Which of a server's suggestions a text like "Austin, TX" clearly means; populations help where they are bundled. */
function choosePlace(text: string, suggestions: readonly LocationSuggestion[]): PlaceChoice {
  const whole = suggestions.filter((place) => normalise(place.displayName) === normalise(text));
  if (whole[0] && whole.length === 1) return { clear: whole[0] };
  const split = bestSplit(text, suggestions);
  const places = placesOf(split, suggestions);
  const clear = clearlyNamed(places, split);
  return clear && !isRatherRegion(clear, split) ? { clear } : { candidates: places };
}

function splitsOf(text: string): [PlaceSplit, ...PlaceSplit[]] {
  const [split] = splitAtCommas(text);
  if (split !== undefined) return [{ ...split, name: normalise(split.name) }];
  return [{ name: normalise(text), areas: [] }, ...splitAtWords(text, 2).toReversed()];
}

function bestSplit(text: string, suggestions: readonly LocationSuggestion[]): PlaceSplit {
  const [whole, ...others] = splitsOf(text);
  return (
    [whole, ...others].find((split) => placesOf(split, suggestions).some((place) => isExact(place, split))) ??
    others.find((split) => placesOf(split, suggestions).length > 0) ??
    whole
  );
}

function placesOf({ areas }: PlaceSplit, suggestions: readonly LocationSuggestion[]): LocationSuggestion[] {
  const tests = areas.map(isWithin);
  return suggestions.filter((place) => tests.every((isIn) => isIn(place)));
}

function isExact({ city }: LocationSuggestion, { name }: PlaceSplit): boolean {
  return normalise(city) === name;
}

/** What a full name adds to the one in use: New York City, Frankfurt am Main, Newcastle upon Tyne. */
const ADDITION = /^ (?:city|town|dc|am|an|de|der|in|of|on|sur|under|upon)\b/;

/** "Bost" and "San" are beginnings of names; "New York" and "Frankfurt" are the names in use. */
function isBeginning({ city }: LocationSuggestion, { name }: PlaceSplit): boolean {
  const full = normalise(city);
  return full !== name && full.startsWith(name) && !ADDITION.test(full.slice(name.length));
}

/** The only place of exactly that name, unless another is far larger, or the one that is far larger than all others. */
function clearlyNamed(
  places: readonly LocationSuggestion[],
  split: PlaceSplit,
): LocationSuggestion | undefined {
  const { name, areas } = split;
  const called = places.filter((place) => !isBeginning(place, split));
  const exact = called.filter((place) => isExact(place, split));
  const only = onlyOne(exact);
  // With its region, no other name is meant: Bethlehem, PA is not Belém in Pará.
  const rivals = called.filter(({ city }) => areas.length === 0 || normalise(city).startsWith(name));
  if (only && !rivals.some((place) => isFarLarger(place, only, OVERWHELMING))) return only;
  const times = exact.length > 0 ? OVERWHELMING : MUCH_LARGER;
  return called.find((place) => called.every((other) => other === place || isFarLarger(place, other, times)));
}

function isFarLarger(large: LocationSuggestion, small: LocationSuggestion, times: number): boolean {
  const [of, against] = [populationOf(large), populationOf(small)];
  return of !== undefined && against !== undefined && of >= times * Math.max(against, 1);
}

/** "Ontario" and "Texas" alone mean the region, not Ontario in California or Texas City; "New York" means the city. */
function isRatherRegion(place: LocationSuggestion, split: PlaceSplit): boolean {
  if (split.areas.length > 0 || areasCalled(split.name).length === 0) return false;
  const isGreat = (populationOf(place) ?? 0) >= GREAT_CITY_PEOPLE;
  return !isWithin(split.name)(place) || !(isGreat || isExact(place, split));
}

function onlyOne<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

export function populationOf(place: LocationSuggestion & { population?: unknown }): number | undefined {
  return typeof place.population === 'number' ? place.population : undefined;
}

function isWithin(region: string): (place: LocationSuggestion) => boolean {
  const meant = [region, ...areasCalled(region)];
  return ({ stateProvince, country }) =>
    [stateProvince, country]
      .map(normalise)
      .some((name) => meant.includes(name) || (region.length > 3 && name.startsWith(region)));
}

/** The names of the regions and countries that a name, a code or an alias like `tx` means: both sides normalised. */
export function areasCalled(text: string): string[] {
  const isText = (name: string) => beginsAlike(name, text) && normalise(name) === text;
  const names: string[] = [];
  for (const { code, alpha3, name, aliases } of COUNTRIES) {
    if (isText(code) || isText(alpha3) || isText(name) || aliases.some(isText)) names.push(name, ...aliases);
  }
  for (const [alias, name] of Object.values(REGION_ALIASES).flatMap(Object.entries<string>)) {
    if (isText(alias) || isText(name)) names.push(name);
  }
  return [...new Set(names.map(normalise))];
}

/** Faster than normalising, which keeps a plain first letter. */
function beginsAlike(name: string, text: string): boolean {
  const plain = name.charCodeAt(0) < 0x80 ? name : name.normalize('NFD');
  return (plain.charCodeAt(0) | 0x20) === text.charCodeAt(0);
}
