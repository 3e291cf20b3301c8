import { escapeControlChars } from '../../contract/outside-text.ts';
import { shorten, widthOf } from './width.ts';

/** Longer texts are shown around their first difference only. */
const MOST_COLUMNS = 60;
/** How much of what both texts share is shown before the difference. */
const LEAD_CHARACTERS = 20;

/**
 * Two texts on one line each, whole where they are short, else around their first difference. Control, bidi and
 * zero-width characters are shown as their codes.
 */
export function toldApart(before: string, after: string): readonly [from: string, to: string] {
  const lines = [before, after].map((text) => escapeControlChars(text.replace(/[\r\n\t]+/g, ' ')));
  // Only the white space differs: its codes are shown too.
  const [from = '', to = ''] = lines[0] === lines[1] ? [before, after].map(escapeControlChars) : lines;
  if ([from, to].every((text) => widthOf(text, MOST_COLUMNS) <= MOST_COLUMNS)) return [from, to];
  const [a, b] = [Array.from(from), Array.from(to)];
  const start = leadStart(a, sharedStart(a, b));
  const excerpt = (characters: readonly string[]): string =>
    shorten(`${start > 0 ? '…' : ''}${characters.slice(start).join('')}`, MOST_COLUMNS);
  return [excerpt(a), excerpt(b)];
}

/** One text on one line, short, hidden characters as their codes. */
export function alone(text: string): string {
  return text === '' ? '' : toldApart(text, '')[0];
}

/** How many characters two texts do not share, their common start and end left out. */
export function differingCharacters(before: string, after: string): { removed: number; added: number } {
  const [from, to] = [Array.from(before), Array.from(after)];
  const start = sharedStart(from, to);
  const most = Math.min(from.length, to.length) - start;
  let end = 0;
  while (end < most && from.at(-1 - end) === to.at(-1 - end)) end++;
  return { removed: from.length - start - end, added: to.length - start - end };
}

function sharedStart(from: readonly string[], to: readonly string[]): number {
  const start = from.findIndex((character, index) => character !== to[index]);
  return start === -1 ? from.length : start;
}

/** Where to begin: at a word some way before the difference. */
function leadStart(text: readonly string[], difference: number): number {
  if (difference <= LEAD_CHARACTERS) return 0;
  const start = difference - LEAD_CHARACTERS;
  const space = text.lastIndexOf(' ', difference - LEAD_CHARACTERS / 2);
  return Math.max(space + 1, start);
}
