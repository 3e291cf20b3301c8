import type { LocationInput, LocationSuggestion } from '../../contract/job.ts';
import { PLACE_LIMIT_MAX } from '../../contract/values.ts';
import { normalise, type Place, type Places, placeMatches, placeQueryFault } from '../place-names.ts';
import { countriesByName } from '../regions.ts';
import { findMeaning } from './find-meaning.ts';
import type { PlaceMeaning } from './place-meaning.ts';

/** A server whose place list differs from the bundled one, so it must confirm each match. */
interface PlaceServer {
  readonly places?: undefined;
  bundledPlaces(): Promise<Places>;
  search(q: string): Promise<readonly LocationSuggestion[]>;
  byId?(locationId: number): Promise<LocationSuggestion | undefined>;
  searchHint?(): string | undefined;
}

/** The bundled places if the server uses the same ones, otherwise the server's own search. */
export type LocationSource = { readonly places: Places } | PlaceServer;

export type PlaceChoice = Chosen<LocationSuggestion>;

type Chosen<T> =
  | { readonly clear: T }
  | {
      readonly candidates: readonly Place[];
      readonly meaning?: PlaceMeaning;
      readonly missing?: LocationInput;
      readonly offered?: readonly LocationSuggestion[];
    };

/** Finds a place by name ("Austin, TX"), ID ("101") or both ("101:Austin"). Throws the errors of `search`. */
export async function findLocation(text: string, source: LocationSource, confirm = confirmPlace) {
  if (source.places) return placeAmong(text, source.places);
  const { id, name } = idAndName(text);
  if (id !== undefined) return placeWithId(id, name, source);
  const choice = placeAmong(text, await source.bundledPlaces());
  if ('clear' in choice) return confirm(choice.clear, source);
  const whole = choice.meaning?.kind === 'unknown' ? wholeName(text) : undefined;
  const found = whole && (await confirm(whole, source));
  return found && 'clear' in found ? found : choice;
}

function wholeName(text: string): LocationInput | undefined {
  const [city = '', stateProvince = '', country = '', ...more] = text.split(',').map((part) => part.trim());
  const isWhole = stateProvince !== '' && countriesByName().has(normalise(country)) && more.length === 0;
  return isWhole ? { locationId: 0, city, stateProvince, country } : undefined;
}

const OFFERED_MAX = 5;

export async function confirmPlace(place: LocationInput, source: LocationSource): Promise<PlaceChoice> {
  if (source.places) return clearOrNone(source.places.byId(place.locationId));
  const bundled = await source.bundledPlaces();
  // Two bundled places can share city, region and country, so a different bundled ID means a different place.
  const isNamesake = ({ locationId }: LocationSuggestion) =>
    locationId !== place.locationId && isSame(place, bundled.byId(locationId));
  const offered = new Map<number, LocationSuggestion>();
  for (const q of searchable([place.city, placeName(place)])) {
    for (const found of await source.search(q)) offered.set(found.locationId, found);
    const alike = [...offered.values()].filter((found) => isSame(place, found) && !isNamesake(found));
    const [only, another] = alike;
    const clear =
      alike.find(({ locationId }) => locationId === place.locationId) ?? (another ? undefined : only);
    if (clear) return { clear };
  }
  return { candidates: [], missing: place, offered: [...offered.values()].slice(0, OFFERED_MAX) };
}

function isSame(place: LocationInput, other: LocationInput | undefined): boolean {
  return other !== undefined && placeMatches(place, other);
}

/** Removes duplicate and invalid queries. Callers pass the city name first, because a server may match only names. */
function searchable(queries: readonly string[]): string[] {
  return [...new Set(queries)].filter((q) => normalise(q) !== '' && placeQueryFault(q) === undefined);
}

/** Finds a place by the server's own ID. A name passed with the ID must match the place. */
async function placeWithId(id: number, name: string, server: PlaceServer): Promise<PlaceChoice> {
  if (name === '') return clearOrNone(await server.byId?.(id));
  const places = await server.bundledPlaces();
  for (const q of searchable([name.replace(/,.*/s, '').trim(), name])) {
    const place = (await server.search(q)).find(({ locationId }) => locationId === id);
    if (place && (isCalled(place, name) || isWithinAreas(place, name, places))) return { clear: place };
  }
  return { candidates: [] };
}

function isWithinAreas({ stateProvince, country }: LocationSuggestion, name: string, places: Places) {
  const [, ...areas] = name.split(',');
  return areas.every((area) => {
    const meant = places.areas(normalise(area)).map((found) => found.region || found.country);
    const names = [area, ...meant].map(normalise);
    return [stateProvince, country].some((own) => names.includes(normalise(own)));
  });
}

export function placeAmong(text: string, places: Places): Chosen<Place> {
  const { id, name } = idAndName(text);
  const found = () =>
    name === '' || placeQueryFault(name) ? [] : places.search({ q: name, limit: PLACE_LIMIT_MAX });
  if (id === undefined) {
    const meaning = findMeaning(name, places);
    if (meaning.kind === 'place') return { clear: meaning.place };
    if (meaning.kind === 'ambiguous') return { candidates: meaning.candidates, meaning };
    // An unknown text may be the beginning of a name: "Bost".
    const begun = meaning.kind === 'unknown' ? found() : [];
    return { candidates: begun.filter((place) => isWithinAreas(place, name, places)), meaning };
  }
  const place = places.byId(id);
  const own = place && isCalled(place, name) ? place : found().find(({ locationId }) => locationId === id);
  return clearOrNone(own);
}

function isCalled({ displayName }: LocationSuggestion, beginning: string): boolean {
  return normalise(displayName).startsWith(normalise(beginning));
}

/** Resolves a place by name, ID or both. */
export function meaningWithId(text: string, places: Places): PlaceMeaning {
  if (idAndName(text).id === undefined) return findMeaning(text, places);
  const choice = placeAmong(text, places);
  return 'clear' in choice ? { kind: 'place', place: choice.clear, sure: 'exact' } : { kind: 'unknown' };
}

/** Returns the places in a list (`Split, Zadar`). Undefined if any part isn't a place. */
export function listPlaces(meaning: PlaceMeaning): Place[] | undefined {
  if (meaning.kind === 'place') return [meaning.place];
  if (meaning.kind !== 'several') return undefined;
  const lists = meaning.parts.map((part) => listPlaces(part.meaning));
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}

/** Splits `101`, `101:Springfield, IL` or a name. A name can contain digits (100 Mile House) but not a colon. */
export function idAndName(text: string): { readonly id: number | undefined; readonly name: string } {
  const [, digits, name] = /^\s*(\d+)\s*(?:$|:(.*))/s.exec(text) ?? [];
  return digits === undefined
    ? { id: undefined, name: text.trim() }
    : { id: Number(digits), name: name?.trim() ?? '' };
}

function clearOrNone<T extends LocationSuggestion>(place: T | undefined): Chosen<T> {
  return place === undefined ? { candidates: [] } : { clear: place };
}

/** Keeps only the four fields that are sent (section 2.3). */
export function locationInput({ locationId, city, stateProvince, country }: LocationInput): LocationInput {
  return { locationId, city, stateProvince, country };
}

export function placeName({ city, stateProvince, country }: LocationInput): string {
  return [city, stateProvince, country].filter((part) => part !== '').join(', ');
}
