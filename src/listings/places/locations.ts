import type { LocationInput, LocationSuggestion } from '../../contract/job.ts';
import { normalise, type Places, placeQueryFault } from '../../contract/place-names.ts';
import { PLACE_LIMIT_MAX } from '../../contract/values.ts';
import { choosePlace, type PlaceChoice } from './place-choice.ts';

export interface LocationSource {
  /** The server's location search, best first. */
  search(q: string): Promise<readonly LocationSuggestion[]>;
  /** The place with an id, where the server's searches have shown it. */
  byId?(locationId: number): Promise<LocationSuggestion | undefined>;
  /** The bundled places, where the server has the same: they answer instead of it, and know ids. */
  readonly places?: Places | undefined;
}

/** What a text means: a place's name ("Austin, TX"), its id ("101") or both ("101:Austin"). Throws what the search throws. */
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

export function placeAmong(text: string, places: Places): PlaceChoice {
  const { id, name } = idAndName(text);
  const found = () =>
    name === '' || placeQueryFault(name) ? [] : places.search({ q: name, limit: PLACE_LIMIT_MAX });
  if (id === undefined) return choosePlace(name, found());
  const place = places.byId(id);
  const isCalled = place !== undefined && normalise(place.displayName).startsWith(normalise(name));
  return clearOrNone(isCalled ? place : found().find(({ locationId }) => locationId === id));
}

/** `101`, `101:Springfield, IL` or a name alone. No place has a colon in its name; digits it may have: 100 Mile House. */
export function idAndName(text: string): { readonly id: number | undefined; readonly name: string } {
  const [, digits, name] = /^\s*(\d+)\s*(?:$|:(.*))/s.exec(text) ?? [];
  return digits === undefined
    ? { id: undefined, name: text.trim() }
    : { id: Number(digits), name: name?.trim() ?? '' };
}

function clearOrNone(place: LocationSuggestion | undefined): PlaceChoice {
  return place === undefined ? { candidates: [] } : { clear: place };
}

/** The four fields of a suggestion that are sent (2.3). */
export function locationInput(place: LocationSuggestion): LocationInput {
  const { locationId, city, stateProvince, country } = place;
  return { locationId, city, stateProvince, country };
}

export function populationIn(places: Places | undefined): (place: LocationSuggestion) => number | undefined {
  return ({ locationId, city }) => {
    const place = places?.byId(locationId);
    return place?.city === city ? place.population : undefined;
  };
}
