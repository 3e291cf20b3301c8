import { maskKeys } from '../../contract/mask.ts';
import { clean, escapeHidden } from '../clean.ts';
import { shorten } from '../width.ts';

/** Longer texts are shown around their first difference only. */
const MOST_COLUMNS = 60;
/** How much of what both texts share is shown before the difference. */
const LEAD_CHARACTERS = 20;
/** The same where every character may be written as six. */
const SPELLED_LEAD_CHARACTERS = 3;
/** More than this never fits, however narrow its letters are. */
const MOST_CHARACTERS = 400;

/**
 * Two texts, cleaned and short, that can be told apart by eye: whole where they are short, else around their
 * first difference, and spelled in ASCII where they would look the same (a hidden character, another space).
 */
export function toldApart(before: string, after: string): readonly [from: string, to: string] {
  // Before anything is cut: a part of a key has no form by which it would be known.
  const [from, to] = [maskKeys(before), maskKeys(after)];
  const short = [from, to].map((text) => shorten(clean(text.slice(0, MOST_CHARACTERS)), MOST_COLUMNS));
  const isWhole = [from, to].every((text, index) => clean(text) === short[index]);
  if (isWhole && !looksSame(from, to)) return [short[0] ?? '', short[1] ?? ''];
  const difference = sharedStart(from, to);
  const lead = leadStart(from, difference);
  const [a, b] = [from, to].map((text) => excerpt(text, lead, clean));
  if (!isWhole && !looksSame(a ?? '', b ?? '')) return [a ?? '', b ?? ''];
  const start = isWhole ? 0 : Math.max(lead, difference - SPELLED_LEAD_CHARACTERS);
  const [c = '', d = ''] = [from, to].map((text) => excerpt(text, start, spelled));
  return [c, d];
}

/** One text, cleaned and short; spelled in ASCII where nothing of it would be seen. */
export function alone(text: string): string {
  return text === '' ? '' : toldApart(text, '')[0];
}

function excerpt(text: string, start: number, shown: (text: string) => string): string {
  return shorten(`${start > 0 ? '…' : ''}${shown(text.slice(start, start + MOST_CHARACTERS))}`, MOST_COLUMNS);
}

/** How many characters two texts do not share, their common start and end left out. */
export function differingCharacters(from: string, to: string): { removed: number; added: number } {
  const start = sharedStart(from, to);
  const most = Math.min(from.length, to.length) - start;
  let end = 0;
  while (end < most && from[from.length - 1 - end] === to[to.length - 1 - end]) end++;
  return {
    removed: count(from.slice(start, from.length - end)),
    added: count(to.slice(start, to.length - end)),
  };
}

function count(text: string): number {
  let characters = 0;
  for (const _ of text) characters++;
  return characters;
}

function sharedStart(from: string, to: string): number {
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start++;
  return isLowHalf(from, start) || isLowHalf(to, start) ? start - 1 : start;
}

/** Where to begin: at a word some way before the difference. */
function leadStart(text: string, difference: number): number {
  if (difference <= LEAD_CHARACTERS) return 0;
  const word = text.lastIndexOf(' ', difference - LEAD_CHARACTERS / 2) + 1;
  if (word >= difference - LEAD_CHARACTERS) return word;
  const start = difference - LEAD_CHARACTERS;
  return isLowHalf(text, start) ? start + 1 : start;
}

function isLowHalf(text: string, index: number): boolean {
  return /[\udc00-\udfff]/.test(text[index] ?? '') && /[\ud800-\udbff]/.test(text[index - 1] ?? '');
}

function looksSame(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => clean(text).normalize('NFKC').replace(/\s+/g, ' ').trim());
  return one === other;
}

/** As JSON in ASCII: every character is in view. */
function spelled(text: string): string {
  return escapeHidden(JSON.stringify(text)).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
