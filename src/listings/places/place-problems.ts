import { PartnerError } from '../../contract/errors.ts';
import { type LocationInput, LocationInputSchema, type LocationSuggestion } from '../../contract/job.ts';
import {
  normalise,
  type Place,
  type Places,
  placeMatches,
  placeQueryFault,
  withNameBudget,
} from '../../contract/place-names.ts';
import { clipped, fieldName, type Problem } from '../../contract/problems.ts';
import { openOnce } from '../../contract/promises.ts';
import { isObject } from '../../contract/values.ts';
import { grouped } from '../../contract/words.ts';
import {
  confirmPlace,
  findLocation,
  idAndName,
  type LocationSource,
  locationInput,
  type PlaceChoice,
  placeAmong,
  placeName,
} from './locations.ts';
import { saidOf } from './said-of.ts';

const CANDIDATES_SHOWN = 5;

/** So many texts are remembered, in some 30 MB. */
const REMEMBERED_MAX = 100_000;

/** How many names the suggestions of a run compare, in some 2 s: a set may misspell a million places. */
const SUGGESTION_NAMES_MAX = 100_000_000;

type PlaceProblem = Pick<Problem, 'message' | 'hint'>;

/** What would be sent for a location given as text, or what keeps it from being sent. */
export type TextPlace = { readonly location: LocationInput } | { readonly problem: PlaceProblem };

export function checkText(text: string, places: Places): TextPlace {
  return textPlace(text, placeAmong(text, places), places);
}

function textPlace(text: string, choice: PlaceChoice, places: Places, source?: LocationSource): TextPlace {
  if ('clear' in choice) return { location: locationInput(choice.clear) };
  const candidates = choice.candidates.slice(0, CANDIDATES_SHOWN);
  const { message, fields, hint } = placeError(text, { ...choice, candidates }, places, source);
  const named = Object.entries(fields ?? {}).map(([id, name]) => `${id} ${name}`);
  const all = named.length === 0 ? message : `${message}: ${named.join(' · ')}`;
  return { problem: { message: all, ...(hint && { hint }) } };
}

/** Resolves the locations of a whole run. Each string is resolved once, and each place is confirmed once. */
export interface PlaceMemory {
  /** The bundled places, if the server has the same ones. */
  readonly places: Places | undefined;
  /** Returns a promise if the server has to confirm it. Rejects with the search's error. */
  textPlace(text: string): TextPlace | Promise<TextPlace>;
}

export function createPlaceMemory(source: LocationSource): PlaceMemory {
  const budgeted = (all: Places) => withNameBudget(all, SUGGESTION_NAMES_MAX);
  const places = source.places && budgeted(source.places);
  const bundled = openOnce(async () => budgeted(source.places ?? (await source.bundledPlaces())));
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
  return {
    places,
    textPlace(text) {
      const remembered = known.get(text);
      if (remembered !== undefined) return remembered;
      const found = places ? checkText(text, places) : searchText(text);
      // What is too long to be a place is not worth the memory.
      if (placeQueryFault(text)) return found;
      if (known.size >= REMEMBERED_MAX) for (const all of [known, confirmed]) all.clear();
      known.set(detached(text), found);
      return found;
    },
  };
}

/** What each text location of a listing means, by one search after the other. Throws what a search throws. */
export async function textPlacesOf(
  value: unknown,
  memory: PlaceMemory,
  entriesMax: number,
): Promise<(text: string) => TextPlace> {
  const found = new Map<string, TextPlace>();
  for (const text of textLocations(value, entriesMax)) found.set(text, await memory.textPlace(text));
  return (text) => found.get(text) as TextPlace;
}

/** The same text in memory of its own: V8 keeps all of a line for a part of it. */
export function detached(text: string): string {
  return JSON.parse(JSON.stringify(text));
}

/** The locations that are given as text; none of a listing with more locations than it may have. */
export function textLocations(value: unknown, entriesMax = Number.POSITIVE_INFINITY): string[] {
  if (!hasLocations(value) || value.locations.length > entriesMax) return [];
  return value.locations.filter((location) => typeof location === 'string');
}

export function hasLocations(value: unknown): value is { locations: unknown[] } {
  return isObject(value) && Array.isArray(value.locations);
}

/** A listing with its text locations resolved. Throws PLACE_AMBIGUOUS, PLACE_UNKNOWN, and what the search throws. */
export async function resolveLocations(value: unknown, source: LocationSource): Promise<unknown> {
  if (textLocations(value).length === 0) return value;
  const failures: [field: string, error: PartnerError][] = [];
  const resolved: unknown[] = [];
  for (const [index, location] of (value as { locations: unknown[] }).locations.entries()) {
    if (typeof location !== 'string') {
      resolved.push(location);
      continue;
    }
    const choice = await findLocation(location, source);
    if ('clear' in choice) resolved.push(locationInput(choice.clear));
    else failures.push([fieldName(['locations', index]), await undecided(location, choice, source)]);
  }
  const [first, second] = failures;
  if (first === undefined) return { ...(value as object), locations: resolved };
  if (second === undefined) throw first[1];
  throw new PartnerError(first[1].code, {
    message: `${failures.length} locations can't be used`,
    fields: Object.fromEntries(failures.map(([field, { message, hint }]) => [field, `${message}; ${hint}`])),
    hint: 'correct each of them; `partner locations search QUERY` shows the places there are',
  });
}

type Undecided = Exclude<PlaceChoice, { clear: unknown }>;

/** Why a string doesn't match a place on the server. */
export async function undecided(text: string, choice: Undecided, source: LocationSource) {
  const places = source.places ?? (await source.bundledPlaces());
  return placeError(text, choice, places, source);
}

function placeError(
  text: string,
  { candidates, meaning, missing, offered = [] }: Undecided,
  places: Places,
  source?: LocationSource,
): PartnerError {
  // Without a server, or if it has the bundled places, their IDs are valid.
  const isServers = source === undefined || source.places !== undefined;
  const searchHint = isServers ? undefined : source.searchHint?.();
  const { id, name } = idAndName(text);
  const isSearched = missing !== undefined || (id !== undefined && name !== '');
  if (isSearched && searchHint !== undefined)
    return notFound(`the server doesn't have ${missing ? placeName(missing) : quoted(text)}`, searchHint);
  if (missing) return notOffered(missing, offered);
  if (candidates.length > 0) return ambiguous(text, candidates, isServers);
  const said = meaning && saidOf(text, meaning);
  return said ? new PartnerError(said.code, said) : unknown(text, places, isServers);
}

function notOffered(place: LocationInput, offered: readonly LocationSuggestion[]): PartnerError {
  const [first] = offered;
  const shown = offered.map(({ locationId, displayName }) => `${locationId} ${displayName}`).join(' · ');
  return notFound(
    `the server doesn't have ${placeName(place)}${first ? `. Available places: ${shown}` : ''}`,
    first
      ? `write one of these with its ID: "${first.locationId}:${first.city}"`
      : 'write a place that the server has; `partner locations search QUERY` shows them',
  );
}

function ambiguous(text: string, candidates: readonly Place[], isServers: boolean): PartnerError {
  const [best] = candidates;
  const nearer = [[best?.city, best?.stateProvince || best?.country].join(', '), best?.displayName ?? ''];
  const example = nearer.find((name) => normalise(name) !== normalise(text));
  const id = isServers ? `give the place's id (${best?.locationId})` : OWN_ID;
  return new PartnerError('PLACE_AMBIGUOUS', {
    message: `it is not clear which place ${quoted(text)} means`,
    fields: Object.fromEntries(
      candidates.map(({ locationId, displayName, population }) => {
        const people = `(${grouped(population)} people)`;
        return isServers ? [`id ${locationId}`, `${displayName} ${people}`] : [displayName, people];
      }),
    ),
    hint: example === undefined ? id : `name the region too ("${example}"), or ${id}`,
  });
}

const OWN_ID = "give this server's ID of the place: `partner locations search QUERY` shows it";

function unknown(text: string, places: Places, isServers: boolean): PartnerError {
  const { id, name } = idAndName(text);
  const fault = placeQueryFault(name);
  if (fault !== undefined) {
    const hint = 'name the city with its region or country alone, as in "Austin, TX"';
    return notFound(`no place is called ${quoted(text)}: the text ${fault}`, hint);
  }
  if (id !== undefined && name === '' && !isServers) {
    return notFound(
      `no search of this server has shown a place with the id ${id} yet`,
      `give the name with the id, as in "${id}:Austin", or see it with \`partner locations search QUERY\` first`,
    );
  }
  if (id !== undefined) {
    return notFound(
      name === '' ? `no place has the id ${id}` : `no place called ${quoted(name)} has the id ${id}`,
      'give the name with its region, as in "Austin, TX"; `partner locations search QUERY` shows the ids',
    );
  }
  const near = places
    .nearest(text, 3)
    .map(({ displayName }) => displayName)
    .filter((displayName) => normalise(displayName) !== normalise(text));
  return notFound(
    `no place is called ${quoted(text)}`,
    near.length > 0
      ? `did you mean ${near.join(' or ')}?`
      : '`partner locations search QUERY` shows the places there are',
  );
}

function notFound(message: string, hint: string): PartnerError {
  return new PartnerError('PLACE_UNKNOWN', { message, hint });
}

function quoted(text: string): string {
  return `"${clipped(text, 60)}"`;
}

/** Decision 12: city, state or province, and country are those of the id. The contract's check reports other faults. */
export function checkPlace(entry: unknown, places: Places): PlaceProblem | undefined {
  const { success, data: location } = LocationInputSchema.safeParse(entry, { jitless: true });
  if (!success) return undefined;
  const given = placeName(location);
  const place = places.byId(location.locationId);
  if (place === undefined) {
    const [found] = placeQueryFault(given) ? [] : places.search({ q: given, limit: 1 });
    const near = found ?? places.nearest(location.city, 1)[0];
    return {
      message: `no place has the id ${location.locationId}`,
      hint: near
        ? `did you mean ${near.locationId}, ${near.displayName}?`
        : '`partner locations search QUERY` shows the ids',
    };
  }
  if (placeMatches(location, place)) return undefined;
  return {
    message: `${location.locationId} is ${place.displayName}, not ${given}`,
    hint: `write ${JSON.stringify(locationInput(place))}, or the location as text: "${given}"`,
  };
}
