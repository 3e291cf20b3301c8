import type { LocationInput } from '../contract/job.ts';
import type { Place, Places } from '../contract/places.ts';
import type { Problem } from '../contract/problems.ts';
import { ambiguity, isLocationId, locationInput, populationIn, unknownPlace } from './locations.ts';
import { choosePlace } from './place-choice.ts';

/** So many suggestions tell whether a name is clear. */
const SUGGESTIONS = 50;

/** A location of a file as it would be sent, or what keeps it from being sent. */
export type CheckedLocation =
  | { readonly location: unknown }
  | { readonly problem: Omit<Problem, 'path' | 'kind'> };

/** Looks a location given as text up in the bundled places, as `resolveLocation` would at the server. */
export function checkText(text: string, places: Places): CheckedLocation {
  if (isLocationId(text)) {
    const place = places.byId(Number(text));
    return place ? { location: locationInput(place) } : { problem: noSuchId(Number(text), undefined) };
  }
  const populationOf = populationIn(places);
  const choice = choosePlace(text, places.search({ q: text, limit: SUGGESTIONS }), populationOf);
  if ('clear' in choice) return { location: locationInput(choice.clear) };
  if (choice.candidates.length > 0) {
    const { message, fields, hint } = ambiguity(text, choice.candidates.slice(0, 5), populationOf);
    const named = Object.entries(fields).map(([id, name]) => `${id} ${name}`);
    return { problem: { message: `${message}: ${named.join(' · ')}`, hint } };
  }
  const { message, hint } = unknownPlace(text, places);
  return { problem: { message, ...(hint === undefined ? {} : { hint }) } };
}

/** Decision 12: the id is a place's, and city, state or province, and country are that place's. */
export function checkPlace(
  location: LocationInput,
  places: Places,
): Omit<Problem, 'path' | 'kind'> | undefined {
  const place = places.byId(location.locationId);
  if (place === undefined) return noSuchId(location.locationId, nearestTo(location, places));
  const isSame =
    location.city === place.city &&
    location.stateProvince === place.stateProvince &&
    location.country === place.country;
  if (isSame) return undefined;
  const given = [location.city, location.stateProvince, location.country].filter(Boolean).join(', ');
  return {
    message: `${location.locationId} is ${place.displayName}, not ${given}`,
    hint: `write ${JSON.stringify(locationInput(place))}, or the location as text: "${given}"`,
  };
}

function noSuchId(locationId: number, near: Place | undefined): Omit<Problem, 'path' | 'kind'> {
  return {
    message: `no place has the id ${locationId}`,
    hint: near
      ? `did you mean ${near.locationId}, ${near.displayName}?`
      : '`partner locations search QUERY` shows the ids',
  };
}

function nearestTo({ city, stateProvince, country }: LocationInput, places: Places): Place | undefined {
  const text = [city, stateProvince, country].filter(Boolean).join(', ');
  return places.search({ q: text, limit: 1 })[0] ?? places.nearest(city, 1)[0];
}
