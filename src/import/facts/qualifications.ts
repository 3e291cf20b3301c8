import { LIMITS } from '../../contract/values.ts';
import { hasPhrase, joinTexts, words } from '../../text/words.ts';
import type { SourceValue } from '../source-posting.ts';
import { type Facts, fact, mergeFacts, noteMissing, noteOmission, PHRASES, quoteText } from './fact.ts';

const BULLET = /^(\s*)(?:[-–—*•·‣▪●○◦✓✔➢]|\d{1,2}[.)])\s+(?=\S)/;
const HEADING_CHARACTERS_MAX = 90;
const LINES_ABOVE_MAX = 3;

const SECTIONS_MAX = 200;

type Kind = 'required' | 'wanted' | 'nice' | 'other';
const KINDS: readonly Kind[] = ['other', 'nice', 'wanted', 'required'];

interface Heading {
  readonly heading: string;
  readonly kind: Kind | undefined;
  /** The user's headings. Items under them are REQUIRED, and no others. */
  readonly requiredUnder?: readonly string[] | undefined;
}

interface Section extends Heading {
  readonly indent: number;
  /** True only for a "required" heading inside the requirements, not for the heading of the whole section. */
  readonly isRequired: boolean;
  readonly items: string[];
}

export interface TextPart {
  readonly text: string;
  readonly heading: string;
  readonly isRequirements: boolean;
}

/** Without `requiredUnder`, only items under a "required" subheading are REQUIRED, and the user must check them. */
export function qualificationFacts(
  own: SourceValue<readonly string[]> | undefined,
  parts: readonly TextPart[],
  toText: (html: string) => string,
  requiredUnder?: readonly string[],
): Facts {
  const given =
    own?.value
      .slice(0, 4 * LIMITS.arrayEntries)
      .flatMap((text) => listItems(toText(text.slice(0, LIMITS.descriptionCharacters)))) ?? [];
  const outers = given.length > 0 ? [] : parts.map((part) => [part, toHeading(part, requiredUnder)] as const);
  const sections = outers.flatMap(([{ text }, outer]) => parseSections(text, outer));
  const found = sections.filter(({ kind }) => isRequirement(kind));
  const ofField = requiredUnder?.includes('qualifications') ? given : [];
  const required = new Set(
    found.flatMap(({ items, isRequired }) => (isRequired ? items : [])).concat(ofField),
  );
  const texts = [...new Set([...given, ...found.flatMap(({ items }) => items)])];
  const most = LIMITS.arrayEntries;
  const kept = texts.filter(({ length }) => length <= LIMITS.textCharacters).slice(0, most);
  const rest = texts.length - kept.length;
  const headings = new Set(found.map(({ heading }) => quoteText(heading)));
  const none = requiredUnder
    ? `requiredUnder has none of the headings (${joinTexts([...headings]) || 'none was found'})`
    : 'none is marked REQUIRED, so mark the required ones';
  const notes = [
    required.size === 0 && noteMissing('qualifications', none),
    rest > 0 && noteOmission('qualifications', `${rest} of ${texts.length} (too long, or more than ${most})`),
  ];
  if (kept.length === 0) return mergeFacts(notes);
  const read = { from: `the description, under ${joinTexts([...headings])}`, isOwnField: false };
  const getKind = (text: string) => (required.has(text) ? 'REQUIRED' : 'DESIRED');
  const value = kept.map((text, index) => ({ text, kind: getKind(text), order: index + 1 }) as const);
  const marked = `${required.size} marked REQUIRED because of a subheading, so check each one`;
  const note = required.size > 0 && !requiredUnder ? marked : undefined;
  return mergeFacts([fact('qualifications', value, own && given.length > 0 ? own : read, note), ...notes]);
}

function isRequirement(kind: Kind | undefined): boolean {
  return kind !== undefined && kind !== 'other';
}

function toHeading({ heading, isRequirements }: TextPart, requiredUnder?: readonly string[]): Heading {
  const kind = headingKind(heading, { requiredUnder });
  return { heading, kind: isRequirements && kind !== 'required' ? 'wanted' : kind, requiredUnder };
}

function listItems(text: string): string[] {
  const sections = parseSections(text, { heading: '', kind: undefined });
  const items = sections.flatMap((section) => (section.kind === 'other' ? [] : section.items));
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

function parseSections(text: string, outer: Heading): Section[] {
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
      list = { ...findHeading(above, outer), indent, items: [] };
      sections.push(list);
    }
    above = [];
    const item = line.slice(bullet.length).trim();
    const below = BULLET.exec(lines[at + 1] ?? '')?.[1]?.length ?? indent;
    const kind = findSubheadingKind(item, below > indent, { ...outer, kind: list.kind });
    const section: Section = sections.at(-1) ?? list;
    const heading = { heading: item, kind, isRequired: kind === 'required' };
    if (kind !== undefined) sections.push({ ...heading, indent: Math.max(indent, below), items: [] });
    else if (indent >= section.indent) addItem(section.items, item, indent > section.indent);
    else sections.push({ ...list, indent, items: [item] });
  }
  return sections;
}

/** Returns the kind of an item that introduces the items below it (`Must have`, or a few words with a colon). */
function findSubheadingKind(item: string, isDeeperBelow: boolean, outer: Omit<Heading, 'heading'>) {
  if (outer.kind === undefined || item.split(' ').length > 6) return undefined;
  const text = words(item);
  const isExact = (['required', 'nice'] as const).some((kind) => PHRASES.headings[kind].includes(text));
  const isNamed = item.endsWith(':') && !isDeeperBelow;
  if (!isExact && !isNamed) return undefined;
  return outer.kind === 'other' ? outer.kind : (headingKind(item, outer) ?? outer.kind);
}

function addItem(items: string[], item: string, isWithin: boolean): void {
  if (!isItem(item)) return;
  const outer = isWithin ? items.pop() : undefined;
  items.push(outer === undefined ? item : `${outer}${outer.endsWith(':') ? ' ' : '; '}${item}`);
}

/** Returns the nearest heading above a list. Its kind can come from the heading above it, or from the whole part. */
function findHeading(above: readonly string[], outer: Heading): Omit<Section, 'indent' | 'items'> {
  const near = above.slice(-LINES_ABOVE_MAX).toReversed();
  const findKind = (line = '', kind = outer.kind) =>
    line.length > HEADING_CHARACTERS_MAX ? undefined : headingKind(line, { ...outer, kind });
  const isListed = (line: string) => outer.requiredUnder?.includes(words(line));
  const isSentence = (line = '') =>
    line.length > HEADING_CHARACTERS_MAX || (/[.:,;]$/.test(line) && !isListed(line));
  for (const [at, line] of near.entries()) {
    const over = isSentence(near[at + 1]) ? outer.kind : (findKind(near[at + 1]) ?? outer.kind);
    const kind = findKind(line, over);
    if (kind === undefined && isSentence(line)) continue;
    const isRequired = (outer.requiredUnder ? (kind ?? over) : isRequirement(over) && kind) === 'required';
    return { heading: line, kind: kind ?? over, isRequired };
  }
  const isRequired = outer.requiredUnder !== undefined && outer.kind === 'required';
  return { heading: near[0] ?? outer.heading, kind: outer.kind, isRequired };
}

const WORDS_BESIDE_MAX = 9;

/** With `requiredUnder`, only these headings and the qualification headings inside their sections are `required`. */
function headingKind(line: string, { kind: outer, requiredUnder }: Partial<Heading> = {}): Kind | undefined {
  const [text, kind] = [words(line), findPhraseKind(line)];
  if (requiredUnder === undefined) return kind;
  const isWanted = kind === 'wanted' || kind === 'required';
  const isNamed = requiredUnder.includes(text) || (isWanted && hasPhrase(text, requiredUnder));
  return isNamed || (isWanted && outer === 'required') ? 'required' : isWanted ? 'wanted' : kind;
}

function findPhraseKind(line: string): Kind | undefined {
  const text = words(line);
  const wordsLeast = text.split(' ').length - WORDS_BESIDE_MAX;
  const isNamed = (phrase: string) =>
    text.includes(phrase) && hasPhrase(text, [phrase]) && phrase.split(' ').length >= wordsLeast;
  const found = KINDS.map((kind) => {
    const named = PHRASES.headings[kind].filter(isNamed);
    return { kind, longest: Math.max(0, ...named.map(({ length }) => length)) };
  });
  const best = found.reduce((one, other) => (other.longest > one.longest ? other : one));
  return best.longest === 0 ? undefined : best.kind;
}
