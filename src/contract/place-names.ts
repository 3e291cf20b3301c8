import type { LocationInput, LocationSuggestion } from './job.ts';
import { LIMITS, type Limits } from './values.ts';

/** Letters that Unicode does not take apart into a plain one and a mark. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
  ə: 'a',
};

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  st: 'saint',
  ste: 'sainte',
  ft: 'fort',
  mt: 'mount',
};

// A command lives for milliseconds, and the wider classes of Unicode take several to prepare.
const PLAIN_WORD = /^[A-Za-z]+$/;
const APOSTROPHES = /['’‘ʼʻʹʾʿ`´]/g;
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
/** The marks of Latin, Greek and Cyrillic: elsewhere one is a vowel, and to drop it makes another word. */
const DIACRITICS = /[\u0300-\u036f]/g;
const ACRONYM = /\b[a-z](?:\.[a-z])+\b/g;
const BETWEEN_WORDS = /[\p{P}\s\0-\x2f\x3a-\x40\x5b-\x60\x7b-\xb9]+/gu;
const ELIDED = /(?<= |^)([dlo]) (?=[^ \d])/g;

/** The form in which names are compared: `O'Fallon` and `o fallon` are one word, `D.C.` is `dc`. May be empty. */
export function normalise(text: string): string {
  if (PLAIN_WORD.test(text)) return writtenOut(text.toLowerCase());
  return plainWords(text).map(writtenOut).join(' ');
}

/** While somebody is typing: a last word `st` is Saint, or the start of Stockholm. */
export function normalisations(text: string): string[] {
  const words = plainWords(text);
  const last = words.pop();
  if (last === undefined) return [];
  const before = words.map(writtenOut);
  return [...new Set([writtenOut(last), last])].map((word) => [...before, word].join(' '));
}

const COMMA = /[,;，、،]/;
const AREAS_MAX = 4;

/** Every way to split a text at a comma into a name and areas, the shortest name first; the areas are normalised. */
export function splitAtCommas(text: string) {
  const parts = text.split(COMMA).filter((part) => normalise(part) !== '');
  const shortest = Math.max(1, parts.length - AREAS_MAX);
  return parts.slice(shortest).map((_, index) => ({
    name: parts.slice(0, shortest + index).join(' '),
    areas: parts.slice(shortest + index).map(normalise),
  }));
}

/** Every way to take the last words of a text for an area, the longest area first; the name is normalised as well. */
export function splitAtWords(text: string, areaWordsMax: number) {
  const words = normalise(text).split(' ');
  const shortest = Math.max(1, words.length - areaWordsMax);
  return words.slice(shortest).map((_, index) => ({
    name: words.slice(0, shortest + index).join(' '),
    areas: [words.slice(shortest + index).join(' ')],
  }));
}

/** Decision 12. Case, diacritics, punctuation and spacing do not count. */
export function placeMatches(input: LocationInput, place: LocationInput): boolean {
  return (['city', 'stateProvince', 'country'] as const).every(
    (field) => input[field] === place[field] || unspaced(input[field]) === unspaced(place[field]),
  );
}

function unspaced(text: string): string {
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
    .replace(/[ßæœøłđðþıħŋə]/g, (letter) => PLAIN[letter] ?? letter);
}

function writtenOut(word: string): string {
  return Object.hasOwn(ABBREVIATIONS, word) ? (ABBREVIATIONS[word] ?? word) : word;
}

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

/** A country, or a region of one; the numbers of the regions in it are from `first` to before `end`. */
export interface PlaceArea {
  /** Empty for a country. */
  readonly region: string;
  readonly country: string;
  readonly countryCode: string;
  readonly first: number;
  readonly end: number;
}

/** The largest first. */
export interface NamedPlaces {
  readonly official: readonly Place[];
  /** Those that have this name besides their official one. */
  readonly others: readonly Place[];
}

export interface Places {
  search(query: PlaceQuery): Place[];
  /** The largest places of exactly this name, which is normalised, in an area or anywhere. */
  named(name: string, area?: PlaceArea): NamedPlaces;
  /** The countries and regions of a name, a code or an alias, which is normalised. */
  areas(name: string): PlaceArea[];
  largestIn(area: PlaceArea): Place | undefined;
  byId(locationId: number): Place | undefined;
  /** What a mistyped place was most likely meant to be, best first; as far as that is found within the budget. */
  nearest(text: string, limit: number, budget?: NameBudget): Place[];
}

export function withNameBudget(places: Places, namesLeft: number): Places {
  const budget: NameBudget = { namesLeft };
  return { ...places, nearest: (text, limit, own = budget) => places.nearest(text, limit, own) };
}

const BETWEEN_QUERY_WORDS = /[\s,;，、،]+/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

export function placeQueryFault(
  text: string,
  { placeQueryCharacters, placeQueryWords }: Limits = LIMITS,
): string | undefined {
  const { length } = text.trim();
  if (length > placeQueryCharacters) return `has ${length} characters; at most ${placeQueryCharacters}`;
  const words = text.split(BETWEEN_QUERY_WORDS).filter((word) => LETTER_OR_DIGIT.test(word)).length;
  return words > placeQueryWords ? `has ${words} words; at most ${placeQueryWords}` : undefined;
}
