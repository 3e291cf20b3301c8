import { LIMITS } from '../../../contract/values.ts';
import type { SourceValue } from '../source-posting.ts';
import { allOf, type Facts, fact, leftOut, listed, missing, shown } from './fact.ts';
import { hasPhrase, PHRASES, words } from './text.ts';

const BULLET = /^(\s*)(?:[-–—*•·‣▪●○◦✓✔➢]|\d{1,2}[.)])\s+(?=\S)/;
const HEADING_CHARACTERS_MAX = 90;
/** How many lines above a list may be its heading: a sentence often stands between. */
const LINES_ABOVE_MAX = 3;

/** No person writes more lists in a posting. */
const SECTIONS_MAX = 200;

type Kind = 'required' | 'wanted' | 'nice' | 'other';
const KINDS: readonly Kind[] = ['other', 'nice', 'wanted', 'required'];

interface Heading {
  readonly heading: string;
  readonly kind: Kind | undefined;
}

interface Section extends Heading {
  /** Depth of its first item. Deeper lines belong to the item above. */
  readonly indent: number;
  /** Only a heading within the requirements makes them REQUIRED. The heading of the whole section doesn't. */
  readonly isRequired: boolean;
  readonly items: string[];
}

export interface TextPart {
  readonly text: string;
  readonly heading: string;
  readonly isRequirements: boolean;
}

/** DESIRED without a more specific sub-heading. REQUIRED affects who is qualified, which only the user decides. */
export function qualificationFacts(
  own: SourceValue<readonly string[]> | undefined,
  parts: readonly TextPart[],
  toText: (html: string) => string,
): Facts {
  const given =
    own?.value
      .slice(0, 4 * LIMITS.arrayEntries)
      .flatMap((text) => itemsOf(toText(text.slice(0, LIMITS.descriptionCharacters)))) ?? [];
  const sections = given.length > 0 ? [] : parts.flatMap((part) => sectionsOf(part.text, headingOf(part)));
  const found = sections.filter(({ kind }) => isRequirement(kind));
  const required = new Set(found.flatMap(({ items, isRequired }) => (isRequired ? items : [])));
  const texts = [...new Set([...given, ...found.flatMap(({ items }) => items)])];
  const kept = texts.filter(({ length }) => length <= LIMITS.textCharacters).slice(0, LIMITS.arrayEntries);
  const rest = texts.length - kept.length;
  const none = 'none is REQUIRED: only a person decides what a qualified applicant must have';
  const notes = [
    required.size === 0 ? missing('qualifications', none) : {},
    rest > 0
      ? leftOut('qualifications', `${rest} of ${texts.length}; at most ${LIMITS.arrayEntries}, none too long`)
      : {},
  ];
  if (kept.length === 0) return allOf(notes);
  const headings = new Set(found.map(({ heading }) => shown(heading)));
  const read = { from: `the description, under ${listed([...headings])}`, isOwnField: false };
  const kindOf = (text: string) => (required.has(text) ? 'REQUIRED' : 'DESIRED');
  const value = kept.map((text, index) => ({ text, kind: kindOf(text), order: index + 1 }) as const);
  const note = required.size > 0 ? `${required.size} REQUIRED, as a sub-heading says: check each` : undefined;
  return allOf([fact('qualifications', value, own && given.length > 0 ? own : read, note), ...notes]);
}

function isRequirement(kind: Kind | undefined): boolean {
  return kind !== undefined && kind !== 'other';
}

function headingOf({ heading, isRequirements }: TextPart): Heading {
  return { heading, kind: isRequirements ? 'wanted' : headingKind(heading) };
}

function itemsOf(text: string): string[] {
  const sections = sectionsOf(text, { heading: '', kind: undefined }).filter(({ kind }) => kind !== 'other');
  const items = sections.flatMap((section) => section.items);
  return items.length > 0
    ? items
    : text
        .split('\n')
        .filter(isItem)
        .map((line) => line.trim());
}

function isItem(text: string): boolean {
  return /\p{L}/u.test(text);
}

/** Each list in a text with its heading. Nested lines belong to their parent item. */
function sectionsOf(text: string, outer: Heading): Section[] {
  const sections: Section[] = [];
  let [above, list]: [string[], Section | undefined] = [[], undefined];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  for (const [at, line] of lines.entries()) {
    const [bullet, { length: indent } = ''] = BULLET.exec(line) ?? [];
    if (bullet === undefined) {
      above.push(line.trim());
      continue;
    }
    if (sections.length > SECTIONS_MAX) break;
    if (above.length > 0 || list === undefined) {
      list = { ...headingIn(above, outer), indent, items: [] };
      sections.push(list);
    }
    above = [];
    const item = line.slice(bullet.length).trim();
    const below = BULLET.exec(lines[at + 1] ?? '')?.[1]?.length ?? indent;
    const kind = subheadingKind(item, below > indent, list.kind);
    const section: Section = sections.at(-1) ?? list;
    const heading = { heading: item, kind, isRequired: kind === 'required' };
    if (kind !== undefined) sections.push({ ...heading, indent: Math.max(indent, below), items: [] });
    else if (indent >= section.indent) addItem(section.items, item, indent > section.indent);
    // The list continues after a sub-heading that has its own nested list.
    else sections.push({ ...list, indent, items: [item] });
  }
  return sections;
}

/** The kind of an item that only introduces the items below it (`Must have`, or a few words with a colon). */
function subheadingKind(item: string, isDeeperBelow: boolean, outer: Kind | undefined): Kind | undefined {
  if (outer === undefined || item.split(' ').length > 6) return undefined;
  const text = words(item);
  const exact = (['required', 'nice'] as const).find((kind) => PHRASES.headings[kind].includes(text));
  const isNamed = item.endsWith(':') && !isDeeperBelow;
  if (exact === undefined && !isNamed) return undefined;
  return outer === 'other' ? outer : (exact ?? headingKind(item) ?? outer);
}

function addItem(items: string[], item: string, isWithin: boolean): void {
  if (!isItem(item)) return;
  const outer = isWithin ? items.pop() : undefined;
  items.push(outer === undefined ? item : `${outer}${outer.endsWith(':') ? ' ' : '; '}${item}`);
}

/**
 * The nearest line above a list that describes it. A short line that isn't a sentence is a separate heading.
 * It inherits what it doesn't specify from the heading directly above it, or else from that of the whole part.
 */
function headingIn(above: readonly string[], outer: Heading): Omit<Section, 'indent' | 'items'> {
  const near = above.slice(-LINES_ABOVE_MAX).toReversed();
  const kindOf = (line = '') => (line.length > HEADING_CHARACTERS_MAX ? undefined : headingKind(line));
  const isSentence = (line = '') => line.length > HEADING_CHARACTERS_MAX || /[.:,;]$/.test(line);
  for (const [at, line] of near.entries()) {
    const over = isSentence(near[at + 1]) ? outer.kind : (kindOf(near[at + 1]) ?? outer.kind);
    const kind = kindOf(line);
    if (kind === undefined && isSentence(line)) continue;
    return { heading: line, kind: kind ?? over, isRequired: kind === 'required' && isRequirement(over) };
  }
  return { heading: near[0] ?? outer.heading, kind: outer.kind, isRequired: false };
}

const WORDS_BESIDE_MAX = 9;

/** By the longest phrase of it; undefined for a line that says nothing of a list: "Our story", or a sentence. */
function headingKind(line: string): Kind | undefined {
  const text = words(line);
  const wordsLeast = text.split(' ').length - WORDS_BESIDE_MAX;
  // Most phrases are not in most lines, so the cheapest question comes first.
  const isNamed = (phrase: string) =>
    text.includes(phrase) && hasPhrase(text, [phrase]) && phrase.split(' ').length >= wordsLeast;
  const found = KINDS.map((kind) => {
    const named = PHRASES.headings[kind].filter(isNamed);
    return { kind, longest: Math.max(0, ...named.map(({ length }) => length)) };
  });
  const best = found.reduce((one, other) => (other.longest > one.longest ? other : one));
  return best.longest === 0 ? undefined : best.kind;
}
