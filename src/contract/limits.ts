/** The specification (section 8, rule 7) has only the budget's minimum; these are our decision 15. */
export const LIMITS = {
  bodyBytes: 1024 * 1024,
  titleCharacters: 500,
  descriptionCharacters: 100_000,
  textCharacters: 2_000,
  arrayEntries: 50,
  questionOptions: 200,
  /** Of a search for a place, and of a place that a job file names by text. */
  placeQueryCharacters: 200,
  placeQueryWords: 10,
};

export type Limits = Readonly<typeof LIMITS>;

/** For a profile that lifts our limits because its server has others. */
export const NO_LIMITS = Object.fromEntries(
  Object.keys(LIMITS).map((name) => [name, Number.POSITIVE_INFINITY]),
) as Limits;

/** A listing runs this long from publication (section 8, rule 1). */
export const LISTING_DAYS = 30;
export const LISTING_MS = LISTING_DAYS * 24 * 60 * 60 * 1000;

/** How long the first answer to an `Idempotency-Key` is replayed (decision 27). */
export const IDEMPOTENCY_MS = 24 * 60 * 60 * 1000;

export const LIST_LIMIT_DEFAULT = 50;
export const LIST_LIMIT_MAX = 100;
export const PLACE_LIMIT_DEFAULT = 10;
export const PLACE_LIMIT_MAX = 50;
