import type * as z from 'zod';
import type { LocationInput, LocationSuggestion } from '../contract/job.ts';
import type { OPERATIONS } from '../contract/operations.ts';
import { LIMITS, type Limits } from '../contract/values.ts';
import spellings from './spellings.json' with { type: 'json' };

/** Letters that Unicode doesn't decompose, and abbreviated words. */
const LETTERS: Readonly<Record<string, string>> = spellings.letters;
const ABBREVIATIONS = new Map(Object.entries(spellings.abbreviations));

// These patterns avoid wider Unicode classes, which take several milliseconds to compile.
const PLAIN_WORD = /^[A-Za-z]+$/;
const APOSTROPHES = /['’‘ʼʻʹʾʿ`´]/g;
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
/** Diacritics of Latin, Greek and Cyrillic. Marks of other scripts are kept, because they can be vowels. */
const DIACRITICS = /[\u0300-\u036f]/g;
const ACRONYM = /\b[a-z](?:\.[a-z])+\b/g;
const BETWEEN_WORDS = /[\p{P}\s\0-\x2f\x3a-\x40\x5b-\x60\x7b-\xb9]+/gu;
const ELIDED = /(?<= |^)([dlo]) (?=[^ \d])/g;

/** Returns the form used to compare names: `O'Fallon` and `o fallon` are equal, `D.C.` is `dc`. May be empty. */
export function normalise(text: string): string {
  if (PLAIN_WORD.test(text)) return expandWord(text.toLowerCase());
  return plainWords(text).map(expandWord).join(' ');
}

/** Returns the variants of an incomplete name: a last word `st` is Saint, or the start of Stockholm. */
export function normalisations(text: string): string[] {
  const words = plainWords(text);
  const last = words.pop();
  if (last === undefined) return [];
  const before = words.map(expandWord);
  return [...new Set([expandWord(last), last])].map((word) => [...before, word].join(' '));
}

/** Compares two places without case, diacritics, punctuation and spacing (decision 12). */
export function placeMatches(input: LocationInput, place: LocationInput): boolean {
  return (['city', 'stateProvince', 'country'] as const).every(
    (field) => input[field] === place[field] || removeSpaces(input[field]) === removeSpaces(place[field]),
  );
}

function removeSpaces(text: string): string {
  return normalise(text).replaceAll(' ', '');
}

function plainWords(text: string): string[] {
  const lower = text.toLowerCase().replace(APOSTROPHES, '');
  const isAscii = /^[\x20-\x7e]*$/.test(lower);
  const plain = (isAscii ? lower : withoutDiacritics(lower))
    .replace(ACRONYM, (letters) => letters.replaceAll('.', ''))
    .replace(isAscii ? /[^a-z0-9]+/g : BETWEEN_WORDS, ' ')
    .trim();
  return plain === '' ? [] : plain.replace(ELIDED, '$1').split(' ');
}

function withoutDiacritics(lower: string): string {
  return lower
    .replace(INVISIBLE, '')
    .normalize('NFKD')
    .replace(DIACRITICS, '')
    .normalize('NFC')
    .replace(/[ßæœøłđðþıħŋə]/g, (letter) => LETTERS[letter] ?? letter);
}

function expandWord(word: string): string {
  return ABBREVIATIONS.get(word) ?? word;
}

export interface Place extends LocationSuggestion {
  readonly countryCode: string;
  readonly population: number;
}

export type PlaceQuery = Readonly<z.input<typeof OPERATIONS.searchLocations.query>>;

/** Number of names that searches for misspelled places may still compare. The last search may exceed it. */
export interface NameBudget {
  namesLeft: number;
}

/** A country or region. Its regions have the numbers from `first` up to, but not including, `end`. */
export interface PlaceArea {
  readonly region: string;
  readonly country: string;
  readonly countryCode: string;
  readonly first: number;
  readonly end: number;
}

export interface Places {
  search(query: PlaceQuery): Place[];
  named(name: string, area?: PlaceArea): Readonly<Record<'official' | 'others', readonly Place[]>>;
  areas(name: string): PlaceArea[];
  largestIn(area: PlaceArea): Place | undefined;
  byId(locationId: number): Place | undefined;
  nearest(text: string, limit: number, budget?: NameBudget): Place[];
}

export function withNameBudget(places: Places, namesLeft: number): Places {
  const budget: NameBudget = { namesLeft };
  return { ...places, nearest: (text, limit, own = budget) => places.nearest(text, limit, own) };
}

const BETWEEN_QUERY_WORDS = /[\s,;，、،]+/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

export function placeQueryFault(text: string, { placeQueryCharacters, placeQueryWords }: Limits = LIMITS) {
  const { length } = text.trim();
  if (length > placeQueryCharacters)
    return `must be at most ${placeQueryCharacters} characters, got ${length}`;
  const words = text.split(BETWEEN_QUERY_WORDS).filter((word) => LETTER_OR_DIGIT.test(word)).length;
  return words > placeQueryWords ? `must be at most ${placeQueryWords} words, got ${words}` : undefined;
}

export function createPopulationLookup(places: Places | undefined) {
  return ({ locationId, city }: LocationSuggestion) => {
    const place = places?.byId(locationId);
    return place?.city === city ? place.population : undefined;
  };
}
