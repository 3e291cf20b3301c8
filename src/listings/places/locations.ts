import { PartnerError } from '../../contract/errors.ts';
import type { LocationInput, LocationSuggestion } from '../../contract/job.ts';
import { PLACE_LIMIT_MAX } from '../../contract/limits.ts';
import { normalise } from '../../contract/place-names.ts';
import { type Places, placeQueryFault } from '../../contract/places.ts';
import { clipped, fieldName } from '../../contract/problems.ts';
import { choosePlace, type PlaceChoice, populationOf } from './place-choice.ts';

/** Where a location's text is looked up. */
export interface LocationSource {
  /** The server's location search, best first. */
  search(q: string): Promise<readonly LocationSuggestion[]>;
  /** The place with an id, where the server's searches have shown it. */
  byId?(locationId: number): Promise<LocationSuggestion | undefined>;
  /** The bundled places, where the server's are those: they answer in its stead, and know ids. */
  readonly places?: Places | undefined;
}

/**
 * The location that a text means: a place's name ("Austin, TX"), its id ("101") or both ("101:Austin"). Throws PLACE_AMBIGUOUS with the
 * candidates, best first, in `fields`, or PLACE_UNKNOWN with the nearest.
 */
export async function resolveLocation(text: string, source: LocationSource): Promise<LocationInput> {
  const choice = await findLocation(text, source);
  if ('clear' in choice) return locationInput(choice.clear);
  throw choice.candidates.length === 0
    ? unknownPlace(text, source.places)
    : new PartnerError('PLACE_AMBIGUOUS', ambiguity(text, choice.candidates, source.places));
}

/** What a name or an id means to the bundled places or, without them, to the server's search. */
export async function findLocation(text: string, source: LocationSource): Promise<PlaceChoice> {
  const { search, byId, places } = source;
  if (places) return placeAmong(text, places);
  const { id, name } = idAndName(text);
  if (id !== undefined && name === '') return clearOrNone(await byId?.(id));
  // The second is for a server that searches by the name alone, and does not know what to do with a region.
  const queries = placeQueryFault(name) ? [] : new Set([name, name.split(',')[0]?.trim() ?? '']);
  for (const q of queries) {
    const suggestions = q === '' ? [] : await search(q);
    const choice =
      id === undefined
        ? choosePlace(name, suggestions)
        : clearOrNone(suggestions.find(({ locationId }) => locationId === id));
    if ('clear' in choice || choice.candidates.length > 0) return choice;
  }
  return { candidates: [] };
}

/** `101`, `101:Springfield, IL` or a name alone. The colon is in no place's name, where digits may be: 100 Mile House. */
function idAndName(text: string): { readonly id: number | undefined; readonly name: string } {
  const [, digits, name] = /^\s*(\d+)\s*(?:$|:(.*))/s.exec(text) ?? [];
  return digits === undefined
    ? { id: undefined, name: text.trim() }
    : { id: Number(digits), name: name?.trim() ?? '' };
}

function clearOrNone(place: LocationSuggestion | undefined): PlaceChoice {
  return place === undefined ? { candidates: [] } : { clear: place };
}

/** What a name or an id means among the bundled places. */
export function placeAmong(text: string, places: Places): PlaceChoice {
  const { id, name } = idAndName(text);
  const found = () =>
    name === '' || placeQueryFault(name) ? [] : places.search({ q: name, limit: PLACE_LIMIT_MAX });
  if (id === undefined) return choosePlace(name, found());
  const place = places.byId(id);
  const isCalled = place !== undefined && normalise(place.displayName).startsWith(normalise(name));
  return clearOrNone(isCalled ? place : found().find(({ locationId }) => locationId === id));
}

/**
 * A listing's value with each location that is a string resolved (cli.md, "A job file"). What is no listing
 * comes back as it was. Throws what `resolveLocation` throws; for several faults, one error with them all.
 */
export async function resolveLocations(value: unknown, source: LocationSource): Promise<unknown> {
  const locations = stringsIn(value);
  if (locations.every((location) => typeof location !== 'string')) return value;
  const failures: [field: string, error: PartnerError][] = [];
  const resolved: unknown[] = [];
  for (const [index, location] of locations.entries()) {
    try {
      resolved.push(typeof location === 'string' ? await resolveLocation(location, source) : location);
    } catch (error) {
      if (!isPlaceError(error)) throw error;
      failures.push([fieldName(['locations', index]), error]);
    }
  }
  const [first, second] = failures;
  if (first && !second) throw first[1];
  if (first) {
    throw new PartnerError(first[1].code, {
      message: `${failures.length} locations are not clear`,
      fields: Object.fromEntries(
        failures.map(([field, { message, hint }]) => [field, `${message}; ${hint}`]),
      ),
      hint: 'correct each of them; `partner locations search QUERY` shows the places there are',
    });
  }
  return { ...(value as object), locations: resolved };
}

function isPlaceError(error: unknown): error is PartnerError {
  return error instanceof PartnerError && ['PLACE_AMBIGUOUS', 'PLACE_UNKNOWN'].includes(error.code);
}

/** The four fields of a suggestion that are sent (2.3). */
export function locationInput({
  locationId,
  city,
  stateProvince,
  country,
}: LocationSuggestion): LocationInput {
  return { locationId, city, stateProvince, country };
}

/** The population that the bundled places know of a suggestion, if it is one of theirs. */
export function populationIn(places: Places | undefined): (place: LocationSuggestion) => number | undefined {
  return ({ locationId, city }) => {
    const place = places?.byId(locationId);
    return place?.city === city ? place.population : undefined;
  };
}

/**
 * What to say of a text that means several places; `fields` has the candidates under `id 4409896`. Without `places`
 * the id alone is known only to this machine: a job file needs the name with it.
 */
export function ambiguity(
  text: string,
  candidates: readonly LocationSuggestion[],
  places: Places | undefined,
) {
  const [best] = candidates;
  const nearer = [[best?.city, best?.stateProvince || best?.country].join(', '), best?.displayName ?? ''];
  const example = nearer.find((name) => normalise(name) !== normalise(text));
  const id = places ? `id (${best?.locationId})` : `id and name ("${best?.locationId}:${best?.city}")`;
  return {
    message: `it is not clear which place ${quoted(text)} means`,
    fields: Object.fromEntries(candidates.map((place) => [`id ${place.locationId}`, described(place)])),
    hint:
      example === undefined
        ? `give the place's ${id}`
        : `name the region too ("${example}"), or give the place's ${id}`,
  };
}

function described(place: LocationSuggestion): string {
  const population = populationOf(place);
  return population === undefined
    ? place.displayName
    : `${place.displayName} (${population.toLocaleString('en')} people)`;
}

/** What to say of a name or an id that no place has, with the nearest names where there are some. */
export function unknownPlace(text: string, places: Places | undefined): PartnerError {
  const { id, name } = idAndName(text);
  const fault = placeQueryFault(name);
  if (fault !== undefined) {
    return new PartnerError('PLACE_UNKNOWN', {
      message: `no place is called ${quoted(text)}: the text ${fault}`,
      hint: 'name the city with its region or country alone, as in "Austin, TX"',
    });
  }
  if (id !== undefined) {
    const isNamed = name !== '';
    return new PartnerError('PLACE_UNKNOWN', {
      message:
        places && !isNamed
          ? `no place has the id ${id}`
          : isNamed
            ? `no place called ${quoted(name)} has the id ${id}`
            : `no search of this server has shown a place with the id ${id} yet`,
      hint:
        places || isNamed
          ? 'give the name with its region, as in "Austin, TX"; `partner locations search QUERY` shows the ids'
          : `give the name with the id, as in "${id}:Austin", or see it with \`partner locations search QUERY\` first`,
    });
  }
  const near = (places?.nearest(text, 3) ?? [])
    .map(({ displayName }) => displayName)
    .filter((displayName) => normalise(displayName) !== normalise(text));
  return new PartnerError('PLACE_UNKNOWN', {
    message: `no place is called ${quoted(text)}`,
    hint:
      near.length > 0
        ? `did you mean ${near.join(' or ')}?`
        : '`partner locations search QUERY` shows the places there are',
  });
}

function quoted(text: string): string {
  return `"${clipped(text, 60)}"`;
}

function stringsIn(value: unknown): unknown[] {
  const { locations } = (typeof value === 'object' && value !== null ? value : {}) as { locations?: unknown };
  return Array.isArray(locations) ? locations : [];
}
