import { type Places, placeQueryFault, withNameBudget } from '../../contract/place-names.ts';
import { textLocations } from '../check/findings.ts';
import type { LocationSource } from './locations.ts';
import { checkText, searchText, type TextPlace } from './place-problems.ts';

/** So many texts are remembered, in some 30 MB. */
const REMEMBERED_MAX = 100_000;

/** How many names the suggestions of a run compare, in some 2 s: a set may misspell a million places. */
const SUGGESTION_NAMES_MAX = 100_000_000;

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
