import { PartnerError } from '../contract/errors.ts';
import type { LocationInput, LocationSuggestion } from '../contract/job.ts';
import { PLACE_LIMIT_MAX } from '../contract/limits.ts';
import type { Places } from '../contract/places.ts';
import { fieldName } from '../contract/problems.ts';
import { choosePlace, type PlaceChoice, populationOf } from './place-choice.ts';

/** Where a location's text is looked up. */
export interface LocationSource {
  /** The server's location search, best first. */
  search(q: string): Promise<readonly LocationSuggestion[]>;
  /** The bundled places, where the server's are those: they answer in its stead, and know ids. */
  readonly places?: Places | undefined;
}

/**
 * The location that a text means: a place's name ("Austin, TX") or its id. Throws PLACE_AMBIGUOUS with the
 * candidates, best first, in `fields`, or PLACE_UNKNOWN with the nearest.
 */
export async function resolveLocation(text: string, source: LocationSource): Promise<LocationInput> {
  const choice = await findLocation(text, source);
  if ('clear' in choice) return locationInput(choice.clear);
  throw choice.candidates.length === 0
    ? unknownPlace(text, source.places)
    : new PartnerError('PLACE_AMBIGUOUS', ambiguity(text, choice.candidates));
}

/** What a name or an id means to the bundled places or, without them, to the server's search. */
export async function findLocation(text: string, { search, places }: LocationSource): Promise<PlaceChoice> {
  if (places) return placeAmong(text, places);
  // The second is for a server that searches by the name alone, and does not know what to do with a region.
  const queries = isLocationId(text) ? [] : new Set([text.trim(), text.split(',')[0]?.trim() ?? '']);
  for (const q of queries) {
    const choice = q === '' ? undefined : choosePlace(text, await search(q));
    if (choice && ('clear' in choice || choice.candidates.length > 0)) return choice;
  }
  return { candidates: [] };
}

/** What a name or an id means among the bundled places. */
export function placeAmong(text: string, places: Places): PlaceChoice {
  if (isLocationId(text)) {
    const place = places.byId(Number(text));
    return place ? { clear: place } : { candidates: [] };
  }
  return choosePlace(text, text.trim() === '' ? [] : places.search({ q: text, limit: PLACE_LIMIT_MAX }));
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

function isLocationId(text: string): boolean {
  return /^\s*\d+\s*$/.test(text);
}

/** What to say of a text that means several places; `fields` has the candidates under `id 4409896`. */
export function ambiguity(text: string, candidates: readonly LocationSuggestion[]) {
  const [best] = candidates;
  const example = [best?.city, best?.stateProvince || best?.country].join(', ');
  return {
    message: `it is not clear which place ${quoted(text)} means`,
    fields: Object.fromEntries(candidates.map((place) => [`id ${place.locationId}`, described(place)])),
    hint: `name the region too ("${example}"), or give the place's id (${best?.locationId})`,
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
  if (isLocationId(text)) {
    return new PartnerError('PLACE_UNKNOWN', {
      message: places
        ? `no place has the id ${text.trim()}`
        : "this server's places cannot be looked up by id",
      hint: 'give the name with its region, as in "Austin, TX"; `partner locations search QUERY` shows the ids',
    });
  }
  const near = places?.nearest(text, 3).map(({ displayName }) => displayName) ?? [];
  return new PartnerError('PLACE_UNKNOWN', {
    message: `no place is called ${quoted(text)}`,
    hint:
      near.length > 0
        ? `did you mean ${near.join(' or ')}?`
        : '`partner locations search QUERY` shows the places there are',
  });
}

function quoted(text: string): string {
  return `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`;
}

function stringsIn(value: unknown): unknown[] {
  const { locations } = (typeof value === 'object' && value !== null ? value : {}) as { locations?: unknown };
  return Array.isArray(locations) ? locations : [];
}
