import QuickLRU from 'quick-lru';
import { type LocationInput, LocationInputSchema, type LocationSuggestion } from '../../contract/job.ts';
import { fieldName, type Problem } from '../../contract/problems.ts';
import { LIMITS, PLACE_LIMIT_DEFAULT, PLACE_LIMIT_MAX } from '../../contract/values.ts';
import { type Places, placeMatches, placeQueryFault, withNameBudget } from '../../places/place-names.ts';
import type { Route } from '../parts.ts';
import { createQueryReader } from './query.ts';

const SUGGESTIONS = 3;
const PLACE_TEXT_CHARACTERS = 120;
/** Limits suggestions to about 100 ms per request. A place without a close match is compared with 500,000 names. */
export const SUGGESTION_NAMES_MAX = 3_000_000;

/** Caches about 8 MB of responses, because users type the same names one character at a time. */
const ANSWERS_MAX = 2_000;
const ANSWER_CHARACTERS_MAX = 4_000;

export function locationSearch(): Route {
  const answers = new QuickLRU<string, string>({ maxSize: ANSWERS_MAX });
  return async (call, { places }) => {
    const query = createQueryReader(call.query);
    const q = query.readFilledText('q', placeQueryFault);
    const limit = query.wholeNumber('limit', { max: PLACE_LIMIT_MAX, default: PLACE_LIMIT_DEFAULT });
    const country = query.text('country');
    query.check();

    const asked = JSON.stringify([q, limit, country]);
    const known = answers.get(asked);
    if (known !== undefined) return { status: call.operation.status, json: known };
    const found = places.search({ q, limit, ...(country ? { country } : {}) });
    const json = JSON.stringify({ items: found.map(toSuggestion) });
    if (asked.length + json.length <= ANSWER_CHARACTERS_MAX) answers.set(asked, json);
    return { status: call.operation.status, json };
  };
}

export function toSuggestion(place: LocationSuggestion): LocationSuggestion {
  const { locationId, displayName, city, stateProvince, country } = place;
  return { locationId, displayName, city, stateProvince, country };
}

/** Adds problems with unknown places (decision 12). They replace the schema's problems with the same fields. */
export function withPlaceProblems(value: unknown, problems: readonly Problem[], known: Places): Problem[] {
  const places = withNameBudget(known, SUGGESTION_NAMES_MAX);
  const found = readLocations(value).flatMap((entry, index) => placeProblem(entry, index, places) ?? []);
  const answered = new Set(found.flatMap(({ path }) => [fieldName(path), fieldName(path.slice(0, 2))]));
  return [...problems.filter(({ path }) => !answered.has(fieldName(path))), ...found];
}

function readLocations(value: unknown): unknown[] {
  const { locations } = (value ?? {}) as { locations?: unknown };
  return Array.isArray(locations) && locations.length <= LIMITS.arrayEntries ? locations : [];
}

function placeProblem(entry: unknown, index: number, places: Places): Problem | undefined {
  const checked = LocationInputSchema.safeParse(entry, { jitless: true });
  const text = checked.success ? placeText(checked.data) : freeText(entry);
  if (text === undefined) return undefined;
  const message = checked.success
    ? mismatch(checked.data, places)
    : `must be a result of the location search, not ${JSON.stringify(text)}`;
  if (message === undefined) return undefined;
  const named = places
    .nearest(text, SUGGESTIONS)
    .map(({ locationId, displayName }) => `${locationId} (${displayName})`);
  const hint =
    named.length > 0
      ? `did you mean ${named.join(' or ')}?`
      : 'search for it with `partner locations search`';
  return { path: ['locations', index, 'locationId'], kind: 'invalid', message, hint };
}

function mismatch(input: LocationInput, places: Places): string | undefined {
  const place = places.byId(input.locationId);
  if (place === undefined) return `no place has the ID ${input.locationId}`;
  if (placeMatches(input, place)) return undefined;
  return `${input.locationId} is ${place.displayName}, not ${placeText(input)}`;
}

function freeText(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry.slice(0, PLACE_TEXT_CHARACTERS);
  if (typeof entry !== 'object' || entry === null || 'locationId' in entry) return undefined;
  return placeText(entry) || undefined;
}

function placeText(entry: object): string {
  const { city, stateProvince, country } = entry as Partial<Record<keyof LocationInput, unknown>>;
  const texts = [city, stateProvince, country].filter((text) => typeof text === 'string' && text !== '');
  return texts.join(', ').slice(0, PLACE_TEXT_CHARACTERS);
}
