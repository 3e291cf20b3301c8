import { PartnerError } from '../contract/errors.ts';
import type { LocationInput, LocationSuggestion } from '../contract/job.ts';
import type { Places } from '../contract/places.ts';
import { fieldName } from '../contract/problems.ts';
import { choosePlace, type PlaceChoice, type PopulationOf } from './place-choice.ts';

/** Where a location's text is looked up. */
export interface LocationSource {
  /** The server's location search, best first. */
  search(q: string): Promise<readonly LocationSuggestion[]>;
  /** The bundled places, where the server's places are those: only they know an id and a population. */
  readonly places?: Places | undefined;
}

/**
 * The location that a text means: a place's name ("Austin, TX") or its id. Throws PLACE_AMBIGUOUS with the
 * candidates, best first, in `fields`, or PLACE_UNKNOWN with the nearest.
 */
export async function resolveLocation(text: string, source: LocationSource): Promise<LocationInput> {
  const choice = await findLocation(text, source);
  if ('clear' in choice) return locationInput(choice.clear);
  if (choice.candidates.length === 0) throw unknownPlace(text, source.places);
  throw new PartnerError('PLACE_AMBIGUOUS', ambiguity(text, choice.candidates, populationIn(source.places)));
}

/** What a text may mean, for whoever can ask a person. Throws PLACE_UNKNOWN for an id that cannot be looked up. */
export async function findLocation(text: string, { search, places }: LocationSource): Promise<PlaceChoice> {
  if (isLocationId(text)) return placeOfId(text, places);
  for (const q of queriesFor(text)) {
    const choice = choosePlace(text, await search(q), populationIn(places));
    if ('clear' in choice || choice.candidates.length > 0) return choice;
  }
  return { candidates: [] };
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

export function isLocationId(text: string): boolean {
  return /^\s*\d+\s*$/.test(text);
}

/** The population that the search itself tells, as the bundled engine's does, or that the bundled places know. */
export function populationIn(places: Places | undefined): PopulationOf {
  return (suggestion: LocationSuggestion & { readonly population?: unknown }) => {
    if (typeof suggestion.population === 'number') return suggestion.population;
    const place = places?.byId(suggestion.locationId);
    return place?.city === suggestion.city ? place.population : undefined;
  };
}

/** What to say of a text that means several places; `fields` has the candidates under `id 4409896`. */
export function ambiguity(
  text: string,
  candidates: readonly LocationSuggestion[],
  populationOf: PopulationOf,
) {
  const [first] = candidates;
  const example = first
    ? `"${first.city}, ${first.stateProvince || first.country}"`
    : 'its name with its region';
  return {
    message: `it is not clear which place "${text}" means`,
    fields: Object.fromEntries(
      candidates.map((place) => [`id ${place.locationId}`, described(place, populationOf(place))]),
    ),
    hint: `name the region too (${example}), or give the place's id (${first?.locationId})`,
  };
}

function described({ displayName }: LocationSuggestion, population: number | undefined): string {
  return population === undefined
    ? displayName
    : `${displayName} (${population.toLocaleString('en')} people)`;
}

/** What to say of a text that no place is called, with the nearest names where there are some. */
export function unknownPlace(text: string, places: Places | undefined): PartnerError {
  const near = places?.nearest(text, 3).map(({ displayName }) => displayName) ?? [];
  return new PartnerError('PLACE_UNKNOWN', {
    message: `no place is called "${text}"`,
    hint:
      near.length > 0
        ? `did you mean ${near.join(' or ')}?`
        : '`partner locations search QUERY` shows the places there are',
  });
}

function placeOfId(text: string, places: Places | undefined): PlaceChoice {
  const place = places?.byId(Number(text));
  if (place) return { clear: place };
  throw new PartnerError('PLACE_UNKNOWN', {
    message: places ? `no place has the id ${text.trim()}` : "this server's places cannot be looked up by id",
    hint: 'give the name with its region, as in "Austin, TX"; `partner locations search QUERY` shows the ids',
  });
}

/** The text and, for a server that searches by the name alone, the name before the first comma. */
function queriesFor(text: string): string[] {
  const [name = ''] = text.split(',');
  return [...new Set([text.trim(), name.trim()])].filter(Boolean);
}

function stringsIn(value: unknown): unknown[] {
  const { locations } = (typeof value === 'object' && value !== null ? value : {}) as { locations?: unknown };
  return Array.isArray(locations) ? locations : [];
}
