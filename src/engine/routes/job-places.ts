import { type LocationInput, LocationInputSchema, type LocationSuggestion } from '../../contract/job.ts';
import { LIMITS } from '../../contract/limits.ts';
import { placeMatches } from '../../contract/place-names.ts';
import { type Place, type Places, withNameBudget } from '../../contract/places.ts';
import { type FieldPath, fieldName, type Problem } from '../../contract/problems.ts';

/** How many places a message names as what may have been meant. */
const SUGGESTIONS = 3;
/** No place's name is longer; what is searched for it stays short. */
const PLACE_TEXT_CHARACTERS = 120;
/** How many names the suggestions of one request compare, in some 100 ms: half a million for one that nothing is near. */
export const SUGGESTION_NAMES_MAX = 3_000_000;

/** A place as section 2.3 answers it. */
export function suggestionOf(place: Place): LocationSuggestion {
  const { locationId, displayName, city, stateProvince, country } = place;
  return { locationId, displayName, city, stateProvince, country };
}

/**
 * Adds to the problems of a body what is wrong with its places (decision 12). A place that was typed freely
 * has failed the schema already: that problem gives way to one that names what may have been meant.
 */
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
  if (checked.success) return mismatch(checked.data, index, places);
  const text = freeText(entry);
  if (text === undefined) return undefined;
  const message = `places must come from the location search, and ${JSON.stringify(text)} was typed freely`;
  return problemAt(index, message, places.nearest(text, SUGGESTIONS));
}

/** What was typed where an entry is a text, or has texts but no `locationId`. */
function freeText(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry.slice(0, PLACE_TEXT_CHARACTERS);
  if (typeof entry !== 'object' || entry === null || 'locationId' in entry) return undefined;
  return placeText(entry) || undefined;
}

function mismatch(input: LocationInput, index: number, places: Places): Problem | undefined {
  const place = places.byId(input.locationId);
  if (place === undefined) {
    const message = `there is no place ${input.locationId}`;
    return problemAt(index, message, places.nearest(placeText(input), SUGGESTIONS));
  }
  if (placeMatches(input, place)) return undefined;
  const message = `${input.locationId} is ${place.displayName}, not ${placeText(input)}`;
  return problemAt(index, message, places.nearest(placeText(input), SUGGESTIONS));
}

function placeText(entry: object): string {
  const { city, stateProvince, country } = entry as Partial<Record<keyof LocationInput, unknown>>;
  const texts = [city, stateProvince, country].filter((text) => typeof text === 'string' && text !== '');
  return texts.join(', ').slice(0, PLACE_TEXT_CHARACTERS);
}

function problemAt(index: number, message: string, nearest: readonly Place[]): Problem {
  const path: FieldPath = ['locations', index, 'locationId'];
  const named = nearest.map(({ locationId, displayName }) => `${locationId} (${displayName})`);
  const hint =
    named.length > 0
      ? `did you mean ${named.join(' or ')}?`
      : 'search for it with `partner locations search`';
  return { path, kind: 'invalid', message, hint };
}
