import { type LocationInput, LocationInputSchema } from '../../contract/job.ts';
import { placeMatches } from '../../contract/place-names.ts';
import { type Places, placeQueryFault } from '../../contract/places.ts';
import type { Problem } from '../../contract/problems.ts';
import {
  ambiguity,
  findLocation,
  type LocationSource,
  locationInput,
  placeAmong,
  unknownPlace,
} from './locations.ts';
import type { PlaceChoice } from './place-choice.ts';

const CANDIDATES_SHOWN = 5;

/** What is wrong with a location, wherever it stands. */
type PlaceProblem = Pick<Problem, 'message' | 'hint'>;

/** What would be sent for a location given as text, or what keeps it from being sent. */
export type TextPlace = { readonly location: LocationInput } | { readonly problem: PlaceProblem };

/** Looks a location given as text up in the bundled places. */
export function checkText(text: string, places: Places): TextPlace {
  return textPlace(text, placeAmong(text, places), places);
}

/** Looks a location given as text up where the source says. Throws what its search throws. */
export async function searchText(text: string, source: LocationSource): Promise<TextPlace> {
  return textPlace(text, await findLocation(text, source), source.places);
}

function textPlace(text: string, choice: PlaceChoice, places: Places | undefined): TextPlace {
  if ('clear' in choice) return { location: locationInput(choice.clear) };
  if (choice.candidates.length > 0) {
    const { message, fields, hint } = ambiguity(text, choice.candidates.slice(0, CANDIDATES_SHOWN), places);
    const named = Object.entries(fields).map(([id, name]) => `${id} ${name}`);
    return { problem: { message: `${message}: ${named.join(' · ')}`, hint } };
  }
  const { message, hint } = unknownPlace(text, places);
  return { problem: { message, ...(hint === undefined ? {} : { hint }) } };
}

/**
 * Decision 12: the id is a place's, and city, state or province, and country are that place's. Of an entry that is no
 * LocationInput the contract's check says what is wrong, and nothing is said here.
 */
export function checkPlace(entry: unknown, places: Places): PlaceProblem | undefined {
  const parsed = LocationInputSchema.safeParse(entry, { jitless: true });
  if (!parsed.success) return undefined;
  const location = parsed.data;
  const place = places.byId(location.locationId);
  if (place === undefined) return noSuchId(location, places);
  if (placeMatches(location, place)) return undefined;
  const given = [location.city, location.stateProvince, location.country].filter(Boolean).join(', ');
  return {
    message: `${location.locationId} is ${place.displayName}, not ${given}`,
    hint: `write ${JSON.stringify(locationInput(place))}, or the location as text: "${given}"`,
  };
}

function noSuchId({ locationId, city, stateProvince, country }: LocationInput, places: Places): PlaceProblem {
  const q = [city, stateProvince, country].filter(Boolean).join(', ');
  const found = placeQueryFault(q) ? [] : places.search({ q, limit: 1 });
  const near = found[0] ?? places.nearest(city, 1)[0];
  return {
    message: `no place has the id ${locationId}`,
    hint: near
      ? `did you mean ${near.locationId}, ${near.displayName}?`
      : '`partner locations search QUERY` shows the ids',
  };
}
