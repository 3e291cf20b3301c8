import type { LocationSuggestion } from './job.ts';
import { LIMITS, type Limits } from './limits.ts';

/** A canonical place with what tells it from another of the same name. */
export interface Place extends LocationSuggestion {
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  readonly population: number;
}

export interface PlaceQuery {
  readonly q: string;
  readonly limit?: number;
  /** ISO 3166-1 alpha-2 or a country's name. */
  readonly country?: string;
}

/** How many names the searches for misspelt places may still compare. One may be the last to begin within it. */
export interface NameBudget {
  namesLeft: number;
}

/** The canonical places, however they are stored. */
export interface Places {
  /** Best match first; never more than `limit`. */
  search(query: PlaceQuery): Place[];
  byId(locationId: number): Place | undefined;
  /** What a mistyped place was most likely meant to be, best first; as far as that is found within the budget. */
  nearest(text: string, limit: number, budget?: NameBudget): Place[];
}

/** The same places with one budget for all their suggestions. */
export function withNameBudget(places: Places, namesLeft: number): Places {
  const budget: NameBudget = { namesLeft };
  return { ...places, nearest: (text, limit) => places.nearest(text, limit, budget) };
}

const BETWEEN_WORDS = /[\s,;，、،]+/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** What is wrong with the size of a text that a place is searched by; undefined where nothing is. */
export function placeQueryFault(
  text: string,
  { placeQueryCharacters, placeQueryWords }: Limits = LIMITS,
): string | undefined {
  const { length } = text.trim();
  if (length > placeQueryCharacters) return `has ${length} characters; at most ${placeQueryCharacters}`;
  const words = text.split(BETWEEN_WORDS).filter((word) => LETTER_OR_DIGIT.test(word)).length;
  return words > placeQueryWords ? `has ${words} words; at most ${placeQueryWords}` : undefined;
}
