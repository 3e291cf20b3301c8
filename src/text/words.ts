import { INVISIBLE_CHARS } from './outside-text.ts';

const PLAIN = /^[\n\x20-\x7e]*$/;
const STEERING = /(?![\n])[\p{Cc}\p{Surrogate}\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

export function cleanLines(text: string): string {
  return (PLAIN.test(text) ? text : withoutUnseen(text))
    .replace(/(\S) {3,}(?=\S)/g, '$1 ')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd();
}

function withoutUnseen(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[\t\v\f\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
    .replace(STEERING, '')
    .replace(INVISIBLE_CHARS, '');
}

export function oneLine(text: string): string {
  return cleanLines(text).replace(/\s+/g, ' ').trim();
}

/** Lower case, single spaces, no accents: `FullTime`, `full_time` and `Full-time` become `full time`. */
export function words(text: string): string {
  return oneLine(text)
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('đ', 'd')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}+#&]+/gu, ' ')
    .trim();
}

/** True if the text contains a phrase as whole words. Both must be normalized with `words`. */
export function hasPhrase(text: string, phrases: readonly string[]): boolean {
  const padded = ` ${text} `;
  return phrases.some((phrase) => padded.includes(` ${phrase} `));
}

/** Joins the first texts: `a, b and 3 more`. */
export function joinTexts(texts: readonly string[], max = 5): string {
  const more = texts.length - max;
  return texts.slice(0, max).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
