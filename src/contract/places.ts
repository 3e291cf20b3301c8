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

/** The canonical places, however they are stored. */
export interface Places {
  /** Best match first; never more than `limit`. */
  search(query: PlaceQuery): Place[];
  byId(locationId: number): Place | undefined;
  /** What a mistyped place was most likely meant to be, best first. */
  nearest(text: string, limit: number): Place[];
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
