import { PartnerError } from '../../contract/errors.ts';
import { type LocationInput, LocationInputSchema, type LocationSuggestion } from '../../contract/job.ts';
import {
  normalise,
  type Places,
  placeMatches,
  placeQueryFault,
  withNameBudget,
} from '../../contract/place-names.ts';
import { clipped, fieldName, type Problem } from '../../contract/problems.ts';
import { isObject } from '../../contract/values.ts';
import {
  findLocation,
  idAndName,
  type LocationSource,
  locationInput,
  type PlaceChoice,
  placeAmong,
  populationOf,
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

async function searchText(text: string, source: LocationSource): Promise<TextPlace> {
  return textPlace(text, await findLocation(text, source), source.places);
}

function textPlace(text: string, choice: PlaceChoice, places: Places | undefined): TextPlace {
  if ('clear' in choice) return { location: locationInput(choice.clear) };
  const candidates = choice.candidates.slice(0, CANDIDATES_SHOWN);
  const { message, fields, hint } = placeError(text, { ...choice, candidates }, places);
  const named = Object.entries(fields ?? {}).map(([id, name]) => `${id} ${name}`);
  const all = named.length === 0 ? message : `${message}: ${named.join(' · ')}`;
  return { problem: { message: all, ...(hint && { hint }) } };
}

/** What the locations of a whole run mean, each looked up once. */
export interface PlaceMemory {
  readonly places: Places | undefined;
  /** From the server's search where there are no bundled places. Rejects with what the search throws. */
  textPlace(text: string): TextPlace | Promise<TextPlace>;
}

export function createPlaceMemory(given: LocationSource): PlaceMemory {
  const places = given.places && withNameBudget(given.places, SUGGESTION_NAMES_MAX);
  const source = { ...given, places };
  const known = new Map<string, TextPlace | Promise<TextPlace>>();
  return {
    places,
    textPlace(text) {
      const remembered = known.get(text);
      if (remembered !== undefined) return remembered;
      const found = places ? checkText(text, places) : searchText(text, source);
      // What is too long to be a place is not worth the memory.
      if (placeQueryFault(text)) return found;
      if (known.size >= REMEMBERED_MAX) known.clear();
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
    else failures.push([fieldName(['locations', index]), placeError(location, choice, source.places)]);
  }
  const [first, second] = failures;
  if (first === undefined) return { ...(value as object), locations: resolved };
  if (second === undefined) throw first[1];
  throw new PartnerError(first[1].code, {
    message: `${failures.length} locations are not clear`,
    fields: Object.fromEntries(failures.map(([field, { message, hint }]) => [field, `${message}; ${hint}`])),
    hint: 'correct each of them; `partner locations search QUERY` shows the places there are',
  });
}

type Undecided = Exclude<PlaceChoice, { clear: unknown }>;

function placeError(text: string, { candidates, meaning }: Undecided, places?: Places): PartnerError {
  if (candidates.length > 0) return ambiguous(text, candidates, places);
  const said = meaning && saidOf(text, meaning);
  return said ? new PartnerError(said.code, said) : unknown(text, places);
}

/** Without `places` only this machine knows the id: a job file needs the name with it. */
function ambiguous(text: string, candidates: readonly LocationSuggestion[], places?: Places): PartnerError {
  const [best] = candidates;
  const nearer = [[best?.city, best?.stateProvince || best?.country].join(', '), best?.displayName ?? ''];
  const example = nearer.find((name) => normalise(name) !== normalise(text));
  const id = places ? `id (${best?.locationId})` : `id and name ("${best?.locationId}:${best?.city}")`;
  return new PartnerError('PLACE_AMBIGUOUS', {
    message: `it is not clear which place ${quoted(text)} means`,
    fields: Object.fromEntries(candidates.map((place) => [`id ${place.locationId}`, described(place)])),
    hint:
      example === undefined
        ? `give the place's ${id}`
        : `name the region too ("${example}"), or give the place's ${id}`,
  });
}

function described(place: LocationSuggestion): string {
  const people = populationOf(place)?.toLocaleString('en');
  return people === undefined ? place.displayName : `${place.displayName} (${people} people)`;
}

function unknown(text: string, places: Places | undefined): PartnerError {
  const { id, name } = idAndName(text);
  const fault = placeQueryFault(name);
  if (fault !== undefined) {
    const hint = 'name the city with its region or country alone, as in "Austin, TX"';
    return notFound(`no place is called ${quoted(text)}: the text ${fault}`, hint);
  }
  if (id !== undefined && name === '' && places === undefined) {
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
  const near = (places?.nearest(text, 3) ?? [])
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
  const given = [location.city, location.stateProvince, location.country].filter(Boolean).join(', ');
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
