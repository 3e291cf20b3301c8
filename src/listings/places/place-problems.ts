import { PartnerError } from '../../contract/errors.ts';
import { type LocationInput, LocationInputSchema, type LocationSuggestion } from '../../contract/job.ts';
import { normalise, type Places, placeMatches, placeQueryFault } from '../../contract/place-names.ts';
import { clipped, fieldName, type Problem } from '../../contract/problems.ts';
import { findLocation, idAndName, type LocationSource, locationInput, placeAmong } from './locations.ts';
import { type PlaceChoice, populationOf } from './place-choice.ts';

const CANDIDATES_SHOWN = 5;

type PlaceProblem = Pick<Problem, 'message' | 'hint'>;

/** What would be sent for a location given as text, or what keeps it from being sent. */
export type TextPlace = { readonly location: LocationInput } | { readonly problem: PlaceProblem };

export function checkText(text: string, places: Places): TextPlace {
  return textPlace(text, placeAmong(text, places), places);
}

export async function searchText(text: string, source: LocationSource): Promise<TextPlace> {
  return textPlace(text, await findLocation(text, source), source.places);
}

function textPlace(text: string, choice: PlaceChoice, places: Places | undefined): TextPlace {
  if ('clear' in choice) return { location: locationInput(choice.clear) };
  const { message, fields, hint } = placeError(text, choice.candidates.slice(0, CANDIDATES_SHOWN), places);
  const candidates = Object.entries(fields ?? {}).map(([id, name]) => `${id} ${name}`);
  const all = candidates.length === 0 ? message : `${message}: ${candidates.join(' · ')}`;
  return { problem: { message: all, ...(hint && { hint }) } };
}

/** A listing with its text locations resolved. Throws PLACE_AMBIGUOUS, PLACE_UNKNOWN, and what the search throws. */
export async function resolveLocations(value: unknown, source: LocationSource): Promise<unknown> {
  const { locations } = (value ?? {}) as { locations?: unknown };
  if (!Array.isArray(locations) || !locations.some((location) => typeof location === 'string')) return value;
  const failures: [field: string, error: PartnerError][] = [];
  const resolved: unknown[] = [];
  for (const [index, location] of locations.entries()) {
    const choice = typeof location === 'string' ? await findLocation(location, source) : { clear: location };
    if ('clear' in choice)
      resolved.push(typeof location === 'string' ? locationInput(choice.clear) : location);
    else {
      const error = placeError(location, choice.candidates, source.places);
      failures.push([fieldName(['locations', index]), error]);
    }
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

function placeError(
  text: string,
  candidates: readonly LocationSuggestion[],
  places: Places | undefined,
): PartnerError {
  return candidates.length > 0 ? ambiguous(text, candidates, places) : unknown(text, places);
}

/** Without `places` only this machine knows the id: a job file needs the name with it. */
function ambiguous(
  text: string,
  candidates: readonly LocationSuggestion[],
  places: Places | undefined,
): PartnerError {
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
  const population = populationOf(place);
  const { displayName } = place;
  return population === undefined
    ? displayName
    : `${displayName} (${population.toLocaleString('en')} people)`;
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
  const isNear = near.length > 0;
  return notFound(
    `no place is called ${quoted(text)}`,
    isNear
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
