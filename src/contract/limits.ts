/** The specification (section 8, rule 7) has only the budget's minimum; the others are our decision 15. */
export interface Limits {
  readonly bodyBytes: number;
  readonly titleCharacters: number;
  readonly descriptionCharacters: number;
  readonly textCharacters: number;
  readonly arrayEntries: number;
  readonly questionOptions: number;
  /** Of a search for a place, and of a place that a job file names by text. */
  readonly placeQueryCharacters: number;
  readonly placeQueryWords: number;
}

export const LIMITS: Limits = {
  bodyBytes: 1024 * 1024,
  titleCharacters: 500,
  descriptionCharacters: 100_000,
  textCharacters: 2_000,
  arrayEntries: 50,
  questionOptions: 200,
  placeQueryCharacters: 200,
  placeQueryWords: 10,
};

/** For a profile that lifts our limits because its server has others. */
export const NO_LIMITS: Limits = {
  bodyBytes: Number.POSITIVE_INFINITY,
  titleCharacters: Number.POSITIVE_INFINITY,
  descriptionCharacters: Number.POSITIVE_INFINITY,
  textCharacters: Number.POSITIVE_INFINITY,
  arrayEntries: Number.POSITIVE_INFINITY,
  questionOptions: Number.POSITIVE_INFINITY,
  placeQueryCharacters: Number.POSITIVE_INFINITY,
  placeQueryWords: Number.POSITIVE_INFINITY,
};

/** A listing runs this long from publication (section 8, rule 1). */
export const LISTING_DAYS = 30;
export const LISTING_MS = LISTING_DAYS * 24 * 60 * 60 * 1000;

/** How long the first answer to an `Idempotency-Key` is replayed (decision 27). */
export const IDEMPOTENCY_MS = 24 * 60 * 60 * 1000;

export const LIST_LIMIT_DEFAULT = 50;
export const LIST_LIMIT_MAX = 100;
export const PLACE_LIMIT_DEFAULT = 10;
export const PLACE_LIMIT_MAX = 50;
