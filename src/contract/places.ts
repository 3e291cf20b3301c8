import type { LocationSuggestion } from './job.ts';

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
