import { PartnerError } from '../../contract/errors.ts';
import { type LocationInput, LocationInputSchema, type LocationSuggestion } from '../../contract/job.ts';
import { clipText, type Problem } from '../../contract/problems.ts';
import { openOnce } from '../../contract/promises.ts';
import { isObject } from '../../contract/values.ts';
import { formatNumber } from '../../contract/words.ts';
import {
  confirmPlace,
  findLocation,
  idAndName,
  type LocationSource,
  locationInput,
  type PlaceChoice,
  placeAmong,
  placeName,
} from '../../places/decide/locations.ts';
import { explainMeaning, type PlaceMeaning } from '../../places/decide/place-meaning.ts';
import {
  normalise,
  type Place,
  type Places,
  placeMatches,
  placeQueryFault,
  withNameBudget,
} from '../../places/place-names.ts';

const CANDIDATES_SHOWN = 5;

const REMEMBERED_MAX = 100_000;

/** Limits suggestions to about 2 s per run, because a set of files may misspell a million places. */
const SUGGESTION_NAMES_MAX = 100_000_000;

type PlaceProblem = Pick<Problem, 'message' | 'hint'>;

export type TextPlace =
  | { readonly location: LocationInput }
  | {
      readonly problem: PlaceProblem;
      readonly meaning?: PlaceMeaning | undefined;
    };

export function checkText(text: string, places: Places): TextPlace {
  return textPlace(text, placeAmong(text, places), places);
}

function textPlace(text: string, choice: PlaceChoice, places: Places, source?: LocationSource): TextPlace {
  if ('clear' in choice) return { location: locationInput(choice.clear) };
  const candidates = choice.candidates.slice(0, CANDIDATES_SHOWN);
  const { message, fields, hint } = placeError(text, { ...choice, candidates }, places, source);
  const named = Object.entries(fields ?? {}).map(([id, name]) => `${id} ${name}`);
  const all = named.length === 0 ? message : `${message}: ${named.join(' · ')}`;
  return { problem: { message: all, ...(hint && { hint }) }, meaning: choice.meaning };
}

export interface PlaceMemory {
  readonly places: Places | undefined;
  /** Resolves a text. Returns a promise if the server must confirm the place. Rejects with the search's error. */
  textPlace(text: string): TextPlace | Promise<TextPlace>;
}

export function createPlaceMemory(source: LocationSource): PlaceMemory {
  const limitNames = (all: Places) => withNameBudget(all, SUGGESTION_NAMES_MAX);
  const places = source.places && limitNames(source.places);
  const bundled = openOnce(async () => limitNames(source.places ?? (await source.bundledPlaces())));
  const known = new Map<string, TextPlace | Promise<TextPlace>>();
  const confirmed = new Map<string, Promise<PlaceChoice>>();
  const confirm: typeof confirmPlace = (place) => {
    const name = `${place.locationId} ${placeName(place)}`;
    const found = confirmed.get(name) ?? confirmPlace(place, source);
    confirmed.set(name, found);
    return found;
  };
  const searchText = async (text: string): Promise<TextPlace> => {
    const choice = await findLocation(text, source, confirm);
    return textPlace(text, choice, await bundled.open(), source);
  };
  const findText: PlaceMemory['textPlace'] = (text) => {
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    const found = places ? checkText(text, places) : searchText(text);
    if (placeQueryFault(text)) return found;
    if (known.size >= REMEMBERED_MAX) for (const all of [known, confirmed]) all.clear();
    known.set(detachText(text), found);
    return found;
  };
  return { places, textPlace: findText };
}

/** Resolves each text location of a listing, one search at a time. Throws the errors of the search. */
export async function resolveTextPlaces(value: unknown, memory: PlaceMemory, entriesMax: number) {
  const found = new Map<string, TextPlace>();
  for (const text of textLocations(value, entriesMax)) found.set(text, await memory.textPlace(text));
  return (text: string) => found.get(text) as TextPlace;
}

/** Copies a text, because V8 keeps the whole line in memory for a slice of it. */
export function detachText(text: string): string {
  return JSON.parse(JSON.stringify(text));
}

export function textLocations(value: unknown, entriesMax = Number.POSITIVE_INFINITY): string[] {
  if (!hasLocations(value) || value.locations.length > entriesMax) return [];
  return value.locations.filter((location) => typeof location === 'string');
}

export function hasLocations(value: unknown): value is { locations: unknown[] } {
  return isObject(value) && Array.isArray(value.locations);
}

type Undecided = Exclude<PlaceChoice, { clear: unknown }>;

/** Returns PLACE_AMBIGUOUS or PLACE_UNKNOWN. */
export async function createUndecidedError(text: string, choice: Undecided, source: LocationSource) {
  const places = source.places ?? (await source.bundledPlaces());
  return placeError(text, choice, places, source);
}

function placeError(
  text: string,
  { candidates, meaning, missing, offered = [] }: Undecided,
  places: Places,
  source?: LocationSource,
): PartnerError {
  // Bundled IDs are valid without a server, or if the server uses the bundled places.
  const isServers = source === undefined || source.places !== undefined;
  const searchHint = isServers ? undefined : source.searchHint?.();
  const { id, name } = idAndName(text);
  const isSearched = missing !== undefined || (id !== undefined && name !== '');
  if (isSearched && searchHint !== undefined)
    return createNotFoundError(
      `the server doesn't have ${missing ? placeName(missing) : quotePlaceText(text)}`,
      searchHint,
    );
  if (missing) return createNotOfferedError(missing, offered);
  if (candidates.length > 0) return createAmbiguousError(text, candidates, isServers);
  const said = meaning && explainMeaning(text, meaning);
  return said ? new PartnerError(said.code, said) : createUnknownError(text, places, isServers);
}

function createNotOfferedError(place: LocationInput, offered: readonly LocationSuggestion[]): PartnerError {
  const [first] = offered;
  const shown = offered.map(({ locationId, displayName }) => `${locationId} ${displayName}`).join(' · ');
  return createNotFoundError(
    `the server doesn't have ${placeName(place)}${first ? `. Available places: ${shown}` : ''}`,
    first
      ? `use one of these with its ID: "${first.locationId}:${first.city}"`
      : `use a place that the server has. Find places with ${SEARCH}`,
  );
}

function createAmbiguousError(text: string, candidates: readonly Place[], isServers: boolean): PartnerError {
  const [best] = candidates;
  const nearer = [[best?.city, best?.stateProvince || best?.country].join(', '), best?.displayName ?? ''];
  const example = nearer.find((name) => normalise(name) !== normalise(text));
  const id = isServers ? `use the place's ID (${best?.locationId})` : OWN_ID;
  return new PartnerError('PLACE_AMBIGUOUS', {
    message:
      candidates.length > 1
        ? `${quotePlaceText(text)} matches several places`
        : `it isn't clear whether ${quotePlaceText(text)} is this place`,
    fields: Object.fromEntries(
      candidates.map(({ locationId, displayName, population }) => {
        const people = `(${formatNumber(population)} people)`;
        return isServers ? [`id ${locationId}`, `${displayName} ${people}`] : [displayName, people];
      }),
    ),
    hint: example === undefined ? id : `add the region ("${example}"), or ${id}`,
  });
}

const SEARCH = '`partner locations search QUERY`';
const OWN_ID = `use this server's ID of the place. Find it with ${SEARCH}`;

function createUnknownError(text: string, places: Places, isServers: boolean): PartnerError {
  const { id, name } = idAndName(text);
  const fault = placeQueryFault(name);
  if (fault !== undefined) {
    const hint = 'use only the city with its region or country, such as "Austin, TX"';
    return createNotFoundError(`no place matches ${quotePlaceText(text)}: the text ${fault}`, hint);
  }
  if (id !== undefined && name === '' && !isServers) {
    return createNotFoundError(
      `no search on this server has returned a place with the ID ${id} yet`,
      `use the ID with the name, such as "${id}:Austin", or search for it with ${SEARCH} first`,
    );
  }
  if (id !== undefined) {
    return createNotFoundError(
      name === '' ? `no place has the ID ${id}` : `no place named ${quotePlaceText(name)} has the ID ${id}`,
      `use the name with its region, such as "Austin, TX". Find IDs with ${SEARCH}`,
    );
  }
  const near = places
    .nearest(text, 3)
    .map(({ displayName }) => displayName)
    .filter((displayName) => normalise(displayName) !== normalise(text));
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `find places with ${SEARCH}`;
  return createNotFoundError(`no place matches ${quotePlaceText(text)}`, hint);
}

function createNotFoundError(message: string, hint: string): PartnerError {
  return new PartnerError('PLACE_UNKNOWN', { message, hint });
}

export function quotePlaceText(text: string): string {
  return `"${clipText(text, 60)}"`;
}

/** Checks that names and ID match (decision 12). The contract check reports other problems. */
export function checkPlace(entry: unknown, places: Places): PlaceProblem | undefined {
  const { success, data: location } = LocationInputSchema.safeParse(entry, { jitless: true });
  if (!success) return undefined;
  const given = placeName(location);
  const place = places.byId(location.locationId);
  if (place === undefined) {
    const [found] = placeQueryFault(given) ? [] : places.search({ q: given, limit: 1 });
    const near = found ?? places.nearest(location.city, 1)[0];
    const hint = near ? `did you mean ${near.locationId}, ${near.displayName}?` : `find IDs with ${SEARCH}`;
    return { message: `no place has the ID ${location.locationId}`, hint };
  }
  if (placeMatches(location, place)) return undefined;
  return {
    message: `${location.locationId} is ${place.displayName}, not ${given}`,
    hint: `use ${JSON.stringify(locationInput(place))}, or the location as text: "${given}"`,
  };
}
