import type { LocationSuggestion } from './job.ts';
import { LIMITS, type Limits } from './limits.ts';

/** A canonical place with what tells it from another of the same name. */
export interface Place extends LocationSuggestion {
  readonly countryCode: string;
  readonly population: number;
}

export interface PlaceQuery {
  readonly q: string;
  readonly limit?: number | undefined;
  /** ISO 3166-1 alpha-2 or a country's name. */
  readonly country?: string | undefined;
}

/** How many names the searches for misspelt places may still compare. One may be the last to begin within it. */
export interface NameBudget {
  namesLeft: number;
}

export interface Places {
  search(query: PlaceQuery): Place[];
  byId(locationId: number): Place | undefined;
  /** What a mistyped place was most likely meant to be, best first; as far as that is found within the budget. */
  nearest(text: string, limit: number, budget?: NameBudget): Place[];
}

export function withNameBudget(places: Places, namesLeft: number): Places {
  const budget: NameBudget = { namesLeft };
  return { ...places, nearest: (text, limit) => places.nearest(text, limit, budget) };
}

const BETWEEN_WORDS = /[\s,;，、،]+/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

export function placeQueryFault(
  text: string,
  { placeQueryCharacters, placeQueryWords }: Limits = LIMITS,
): string | undefined {
  const { length } = text.trim();
  if (length > placeQueryCharacters) return `has ${length} characters; at most ${placeQueryCharacters}`;
  const words = text.split(BETWEEN_WORDS).filter((word) => LETTER_OR_DIGIT.test(word)).length;
  return words > placeQueryWords ? `has ${words} words; at most ${placeQueryWords}` : undefined;
}
