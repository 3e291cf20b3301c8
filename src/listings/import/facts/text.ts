import { INVISIBLE_CHARS } from '../../../contract/outside-text.ts';
import { clipped } from '../../../contract/problems.ts';
import type { ImportedField, ImportedPosting, ImportedValue, ImportNote } from '../imported-posting.ts';
import type { SourceValue } from '../source-posting.ts';
import data from './words.json' with { type: 'json' };

/** What one part of a posting says. */
export interface Facts {
  readonly values?: ImportedPosting['values'];
  readonly notes?: readonly ImportNote[];
}

type Origin = Pick<SourceValue<unknown>, 'from' | 'isOwnField'>;
type Field = ImportNote['field'];

/** Taken from a field that means just this; guessed from any other. */
export function fact<F extends ImportedField>(
  field: F,
  value: ImportedValue<F>['value'],
  { from, isOwnField }: Origin,
  note?: string,
): Facts {
  const sure = isOwnField ? 'taken' : 'guessed';
  return { values: { [field]: { value, sure, from: oneLine(from), ...(note !== undefined && { note }) } } };
}

/** `categories.commitment: "Full-time"`: what a value is read out of. */
export function readOf({ value, from }: SourceValue<string | readonly string[]>): string {
  return `${from}: ${listed([value].flat().map(shown))}`;
}

export function missing(field: Field, text: string): Facts {
  return { notes: [{ field, kind: 'missing', text: oneLine(text) }] };
}

export function leftOut(field: Field, text: string): Facts {
  return { notes: [{ field, kind: 'left-out', text: oneLine(text) }] };
}

export function allOf(facts: readonly Facts[]): Required<Facts> {
  return {
    values: Object.assign({}, ...facts.map(({ values }) => values)),
    notes: facts.flatMap(({ notes = [] }) => notes),
  };
}

const STEERING = /(?![\n])[\p{Cc}\p{Surrogate}\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** Lines of text without what is drawn as nothing, steers a terminal, or cannot be stored. */
export function cleanLines(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[\t\v\f\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
    .replace(STEERING, '')
    .replace(INVISIBLE_CHARS, '')
    .replace(/(\S) {3,}(?=\S)/g, '$1 ')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd();
}

export function oneLine(text: string): string {
  return cleanLines(text).replace(/\s+/g, ' ').trim();
}

const SHOWN_CHARACTERS = 100;

/** A text of the source in a note: one line, in quotes. */
export function shown(text: string): string {
  return `"${clipped(oneLine(text.slice(0, 4 * SHOWN_CHARACTERS)), SHOWN_CHARACTERS).replace(/\p{Surrogate}/gu, '')}"`;
}

export function listed(texts: readonly string[]): string {
  const [first = [], rest] = [texts.slice(0, 5), texts.length - 5];
  return first.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** Words in lower case with single spaces and no accents: `FullTime`, `full_time` and `Full-time` are `full time`. */
export function words(text: string): string {
  return oneLine(text)
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}+#&]+/gu, ' ')
    .trim();
}

/** Which of the phrases stand in a text as whole words; both in the form of `words`. */
export function hasPhrase(text: string, phrases: readonly string[]): boolean {
  const padded = ` ${text} `;
  return phrases.some((phrase) => padded.includes(` ${phrase} `));
}

/** The phrases that postings are written in, in the form of `words`. A line of the file holds several. */
export const PHRASES = split(data);

function split<T>(lists: T): T {
  if (Array.isArray(lists)) return lists.flatMap((line: string) => line.split(', ')) as T;
  const entries = Object.entries(lists as object).map(([name, list]) => [name, split(list)]);
  return Object.fromEntries(entries) as T;
}
