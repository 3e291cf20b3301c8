import type { LocationInput, LocationSuggestion } from '../../contract/job.ts';
import {
  normalise,
  type Place,
  type Places,
  placeMatches,
  placeQueryFault,
} from '../../contract/place-names.ts';
import { countriesByName } from '../../contract/regions.ts';
import { PLACE_LIMIT_MAX } from '../../contract/values.ts';
import { meaningOf } from './meaning-of.ts';
import type { PlaceMeaning } from './place-meaning.ts';

/** A server with its own places. It confirms matches from the bundled places. */
interface PlaceServer {
  readonly places?: undefined;
  bundledPlaces(): Promise<Places>;
  search(q: string): Promise<readonly LocationSuggestion[]>;
  /** The place with this ID on the server, if a search has returned it. */
  byId?(locationId: number): Promise<LocationSuggestion | undefined>;
  /** What to do if no search has found a place so far. */
  searchHint?(): string | undefined;
}

/** The bundled places if the server has the same ones, otherwise the server. */
export type LocationSource = { readonly places: Places } | PlaceServer;

/** The place that a text means, or why there is none. */
export type PlaceChoice = Chosen<LocationSuggestion>;

type Chosen<T> =
  | { readonly clear: T }
  | {
      readonly candidates: readonly Place[];
      readonly meaning?: PlaceMeaning;
      /** The place that the text means, which the server doesn't have. */
      readonly missing?: LocationInput;
      /** The server's places with that name. */
      readonly offered?: readonly LocationSuggestion[];
    };

/** What a text means: a place's name ("Austin, TX"), its id ("101") or both ("101:Austin"). Throws what the search throws. */
export async function findLocation(
  text: string,
  source: LocationSource,
  confirm: typeof confirmPlace = confirmPlace,
): Promise<PlaceChoice> {
  if (source.places) return placeAmong(text, source.places);
  const { id, name } = idAndName(text);
  if (id !== undefined) return placeWithId(id, name, source);
  const choice = placeAmong(text, await source.bundledPlaces());
  if ('clear' in choice) return confirm(choice.clear, source);
  const whole = choice.meaning?.kind === 'unknown' ? wholeName(text) : undefined;
  const found = whole && (await confirm(whole, source));
  return found && 'clear' in found ? found : choice;
}

/** A place that may exist only on the server, with full names for its city, region and country. */
function wholeName(text: string): LocationInput | undefined {
  const [city = '', stateProvince = '', country = '', ...more] = text.split(',').map((part) => part.trim());
  const isWhole = stateProvince !== '' && countriesByName().has(normalise(country)) && more.length === 0;
  return isWhole ? { locationId: 0, city, stateProvince, country } : undefined;
}

const OFFERED_MAX = 5;

/** The server's suggestion with this ID and these names, or the only one with these names. Never another place. */
export async function confirmPlace(place: LocationInput, source: LocationSource): Promise<PlaceChoice> {
  if (source.places) return clearOrNone(source.places.byId(place.locationId));
  const bundled = await source.bundledPlaces();
  // Two bundled places may share all three names.
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

/** Starts with the name because a server may search only by name. */
function searchable(queries: readonly string[]): string[] {
  return [...new Set(queries)].filter((q) => normalise(q) !== '' && placeQueryFault(q) === undefined);
}

/** IDs are specific to the server. Names specified with an ID must not contradict it. */
async function placeWithId(id: number, name: string, server: PlaceServer): Promise<PlaceChoice> {
  if (name === '') return clearOrNone(await server.byId?.(id));
  const places = await server.bundledPlaces();
  for (const q of searchable([name.replace(/,.*/s, '').trim(), name])) {
    const place = (await server.search(q)).find(({ locationId }) => locationId === id);
    if (place && (isCalled(place, name) || isWithinAreas(place, name, places))) return { clear: place };
  }
  return { candidates: [] };
}

/** Whether a place is in all the areas that follow its name ("Springfield, IL"). */
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
    const meaning = meaningOf(name, places);
    if (meaning.kind === 'place') return { clear: meaning.place };
    if (meaning.kind === 'ambiguous') return { candidates: meaning.candidates, meaning };
    // What a text begins may be what is meant: "Bost".
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

/** `101`, `101:Springfield, IL` or a name alone. No place has a colon in its name; digits it may have: 100 Mile House. */
export function idAndName(text: string): { readonly id: number | undefined; readonly name: string } {
  const [, digits, name] = /^\s*(\d+)\s*(?:$|:(.*))/s.exec(text) ?? [];
  return digits === undefined
    ? { id: undefined, name: text.trim() }
    : { id: Number(digits), name: name?.trim() ?? '' };
}

function clearOrNone<T extends LocationSuggestion>(place: T | undefined): Chosen<T> {
  return place === undefined ? { candidates: [] } : { clear: place };
}

/** The four fields of a suggestion that are sent (2.3). */
export function locationInput({ locationId, city, stateProvince, country }: LocationInput): LocationInput {
  return { locationId, city, stateProvince, country };
}

export function populationIn(places: Places | undefined): (place: LocationSuggestion) => number | undefined {
  return ({ locationId, city }) => {
    const place = places?.byId(locationId);
    return place?.city === city ? place.population : undefined;
  };
}

export function placeName({ city, stateProvince, country }: LocationInput): string {
  return [city, stateProvince, country].filter((part) => part !== '').join(', ');
}
