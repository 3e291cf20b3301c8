import QuickLRU from 'quick-lru';
import { type LocationInput, LocationInputSchema, type LocationSuggestion } from '../../contract/job.ts';
import {
  type Place,
  type Places,
  placeMatches,
  placeQueryFault,
  withNameBudget,
} from '../../contract/place-names.ts';
import { fieldName, type Problem } from '../../contract/problems.ts';
import { LIMITS, PLACE_LIMIT_DEFAULT, PLACE_LIMIT_MAX } from '../../contract/values.ts';
import type { Route } from '../parts.ts';
import { queryReader } from './query.ts';

const SUGGESTIONS = 3;
/** No place's name is longer; what is searched for it stays short. */
const PLACE_TEXT_CHARACTERS = 120;
/** How many names the suggestions of one request compare, in some 100 ms: half a million for one that nothing is near. */
export const SUGGESTION_NAMES_MAX = 3_000_000;

/** Some 8 MB: what many people type, a character at a time. The places never change while a process runs. */
const ANSWERS_MAX = 2_000;
const ANSWER_CHARACTERS_MAX = 4_000;

/** The location search, which keeps the answers that it gave last. */
export function locationSearch(): Route {
  const answers = new QuickLRU<string, string>({ maxSize: ANSWERS_MAX });
  return async (call, { places }) => {
    const query = queryReader(call.query);
    const q = query.filledText('q', placeQueryFault);
    const limit = query.wholeNumber('limit', { max: PLACE_LIMIT_MAX, default: PLACE_LIMIT_DEFAULT });
    const country = query.text('country');
    query.check();

    const { status } = call.operation;
    const asked = JSON.stringify([q, limit, country]);
    const known = answers.get(asked);
    if (known !== undefined) return { status, json: known };
    const found = places.search({ q, limit, ...(country ? { country } : {}) });
    const json = JSON.stringify({ items: found.map(suggestionOf) });
    if (asked.length + json.length <= ANSWER_CHARACTERS_MAX) answers.set(asked, json);
    return { status, json };
  };
}

export function suggestionOf(place: Place): LocationSuggestion {
  const { locationId, displayName, city, stateProvince, country } = place;
  return { locationId, displayName, city, stateProvince, country };
}

/** Adds what is wrong with the places of a body (decision 12); suggestions replace the schema's own problems. */
export function withPlaceProblems(value: unknown, problems: readonly Problem[], known: Places): Problem[] {
  const places = withNameBudget(known, SUGGESTION_NAMES_MAX);
  const found = locationsOf(value).flatMap((entry, index) => placeProblem(entry, index, places) ?? []);
  const answered = new Set(found.flatMap(({ path }) => [fieldName(path), fieldName(path.slice(0, 2))]));
  return [...problems.filter(({ path }) => !answered.has(fieldName(path))), ...found];
}

function locationsOf(value: unknown): unknown[] {
  const { locations } = (value ?? {}) as { locations?: unknown };
  return Array.isArray(locations) && locations.length <= LIMITS.arrayEntries ? locations : [];
}

function placeProblem(entry: unknown, index: number, places: Places): Problem | undefined {
  const checked = LocationInputSchema.safeParse(entry, { jitless: true });
  const text = checked.success ? placeText(checked.data) : freeText(entry);
  if (text === undefined) return undefined;
  const message = checked.success
    ? mismatch(checked.data, places)
    : `places must come from the location search, and ${JSON.stringify(text)} was typed freely`;
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
  if (place === undefined) return `there is no place ${input.locationId}`;
  if (placeMatches(input, place)) return undefined;
  return `${input.locationId} is ${place.displayName}, not ${placeText(input)}`;
}

/** What was typed where an entry is a text, or has texts but no `locationId`. */
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
