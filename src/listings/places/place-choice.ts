import type { LocationSuggestion } from '../../contract/job.ts';
import { normalise } from '../../contract/place-names.ts';
import { areasCalled } from './regions.ts';

/** The one place that a text clearly means, or those it may mean: none where nothing is called that. */
export type PlaceChoice =
  | { readonly clear: LocationSuggestion }
  | { readonly candidates: readonly LocationSuggestion[] };

/** So many times larger, and a name alone means the larger place: London is not the one in Ontario. */
const OVERWHELMING = 10;

/** Enough where no place has just that name: the text is another name (NYC, Wien), which few share in full. */
const MUCH_LARGER = 4;

const GREAT_CITY_POPULATION = 1_000_000;

/**
 * Which of the suggestions a text like "Austin, TX" clearly means. Clear is the only one in the region
 * given; the only one of exactly that name; or one that dwarfs all the others of that name. A name that is
 * only begun ("Bost") is clear where nothing else begins so.
 */
export function choosePlace(text: string, suggestions: readonly LocationSuggestion[]): PlaceChoice {
  const whole = suggestions.filter((place) => normalise(place.displayName) === normalise(text));
  if (whole[0] && whole.length === 1) return { clear: whole[0] };
  const reading = bestReading(text, suggestions);
  const places = placesOf(reading, suggestions);
  const clear = onlyOne(places) ?? clearlyCalled(places, reading);
  const isClear = clear !== undefined && !isRatherRegion(clear, reading);
  return isClear ? { clear } : { candidates: places };
}

interface Reading {
  readonly name: string;
  readonly regions: readonly string[];
}

/** A text as name and regions: split at its commas or, without any, possibly before its last words. */
function readingsOf(text: string): [Reading, ...Reading[]] {
  const [name = '', ...regions] = text.split(',').map(normalise).filter(Boolean);
  const words = name.split(' ');
  const whole: Reading = { name, regions };
  if (regions.length > 0) return [whole];
  const splits = [1, 2].filter((count) => words.length > count);
  return [
    whole,
    ...splits.map((count) => ({
      name: words.slice(0, -count).join(' '),
      regions: [words.slice(-count).join(' ')],
    })),
  ];
}

/** The reading under which a place has exactly the name; else one whose region some place lies in. */
function bestReading(text: string, suggestions: readonly LocationSuggestion[]): Reading {
  const [whole, ...splits] = readingsOf(text);
  return (
    [whole, ...splits].find((reading) =>
      placesOf(reading, suggestions).some((place) => isExact(place, reading)),
    ) ??
    splits.find((reading) => placesOf(reading, suggestions).length > 0) ??
    whole
  );
}

function placesOf({ regions }: Reading, suggestions: readonly LocationSuggestion[]): LocationSuggestion[] {
  const tests = regions.map(isWithin);
  return suggestions.filter((place) => tests.every((isIn) => isIn(place)));
}

function isExact({ city }: LocationSuggestion, { name }: Reading): boolean {
  return normalise(city) === name;
}

/** What a full name adds to the one in use: New York City, Frankfurt am Main, Newcastle upon Tyne. */
const ADDITION = /^ (?:city|town|dc|am|an|de|der|in|of|on|sur|under|upon)\b/;

/** "Bost" and "San" only begin a name; "New York" and "Frankfurt" are the names in use. */
function isOnlyBegun({ city }: LocationSuggestion, { name }: Reading): boolean {
  const full = normalise(city);
  return full !== name && full.startsWith(name) && !ADDITION.test(full.slice(name.length));
}

/** Of the places called so: the only one of exactly that name, unless another dwarfs it, or the one that dwarfs all. */
function clearlyCalled(
  places: readonly LocationSuggestion[],
  reading: Reading,
): LocationSuggestion | undefined {
  const called = places.filter((place) => !isOnlyBegun(place, reading));
  const exact = called.filter((place) => isExact(place, reading));
  const only = onlyOne(exact);
  if (only && !rivals(called, reading).some((place) => dwarfs(place, only, OVERWHELMING))) return only;
  const times = exact.length > 0 ? OVERWHELMING : MUCH_LARGER;
  return called.find((place) => called.every((other) => other === place || dwarfs(place, other, times)));
}

/** Behind a name with its region, no other name is meant: Bethlehem, PA is not Belém in Pará, nor Zion, IL Jerusalem. */
function rivals(called: readonly LocationSuggestion[], { name, regions }: Reading): LocationSuggestion[] {
  return called.filter(({ city }) => regions.length === 0 || normalise(city).startsWith(name));
}

/**
 * "Ontario" and "Texas" alone speak of the region, not of Ontario in California or Texas City: a region's
 * name means a place only where that place lies in it, and has just that name or is a great city.
 */
function isRatherRegion(place: LocationSuggestion, reading: Reading): boolean {
  if (reading.regions.length > 0 || areasCalled(reading.name).length === 0) return false;
  const isGreat = (populationOf(place) ?? 0) >= GREAT_CITY_POPULATION;
  return !isWithin(reading.name)(place) || !(isGreat || isExact(place, reading));
}

function onlyOne<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

function dwarfs(large: LocationSuggestion, small: LocationSuggestion, times: number): boolean {
  const [of, against] = [populationOf(large), populationOf(small)];
  return of !== undefined && against !== undefined && of >= times * Math.max(against, 1);
}

/** The people who live there, as the bundled places tell; undefined where a search does not. */
export function populationOf(place: LocationSuggestion & { population?: unknown }): number | undefined {
  return typeof place.population === 'number' ? place.population : undefined;
}

/** Tells of a place whether it lies there: by the name, the code or an alias of its state, province or country. */
function isWithin(region: string): (place: LocationSuggestion) => boolean {
  const meant = [region, ...areasCalled(region)];
  return ({ stateProvince, country }) =>
    [stateProvince, country]
      .map(normalise)
      .some((name) => meant.includes(name) || (region.length > 3 && name.startsWith(region)));
}
