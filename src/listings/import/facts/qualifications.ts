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

type Kind = 'wanted' | 'nice' | 'other';
const KINDS: readonly Kind[] = ['other', 'nice', 'wanted'];

interface Section {
  readonly heading: string;
  readonly kind: Kind | undefined;
  /** Of its first item: what stands deeper is a part of the item above. */
  readonly indent: number;
  readonly items: string[];
}

/** Requirements are DESIRED: all REQUIRED ones count in who is qualified, which only a person decides. */
export function qualificationFacts(
  own: SourceValue<readonly string[]> | undefined,
  description: string,
  toText: (html: string) => string,
): Facts {
  const given =
    own?.value
      .slice(0, 4 * LIMITS.arrayEntries)
      .flatMap((text) => itemsOf(toText(text.slice(0, LIMITS.descriptionCharacters)))) ?? [];
  const found = given.length > 0 ? [] : sectionsOf(description).filter(isWanted);
  const texts = [...new Set([...given, ...found.flatMap(({ items }) => items)])];
  const kept = texts.filter(({ length }) => length <= LIMITS.textCharacters).slice(0, LIMITS.arrayEntries);
  const rest = texts.length - kept.length;
  const notes = [
    missing('qualifications', 'none is REQUIRED: only a person decides what a qualified applicant must have'),
    rest > 0
      ? leftOut('qualifications', `${rest} of ${texts.length}; at most ${LIMITS.arrayEntries}, none too long`)
      : {},
  ];
  if (kept.length === 0) return allOf(notes);
  const read = {
    from: `the description, under ${listed(found.map(({ heading }) => shown(heading)))}`,
    isOwnField: false,
  };
  const value = kept.map((text, index) => ({ text, kind: 'DESIRED' as const, order: index + 1 }));
  return allOf([fact('qualifications', value, own && given.length > 0 ? own : read), ...notes]);
}

function isWanted({ kind }: Section): boolean {
  return kind === 'wanted' || kind === 'nice';
}

/** The items of its lists, else its lines. */
function itemsOf(text: string): string[] {
  const sections = sectionsOf(text).filter(({ kind }) => kind !== 'other');
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

/** Each list of a text with the heading that it stands under; what stands deeper in a list belongs to its item. */
function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  let above: string[] = [];
  for (const line of text.split('\n')) {
    const [bullet, indent = ''] = BULLET.exec(line) ?? [];
    if (bullet === undefined) {
      if (line.trim() !== '') above.push(line.trim());
      continue;
    }
    if (sections.length > SECTIONS_MAX) break;
    const isFirst = above.length > 0 || sections.length === 0;
    if (isFirst) sections.push({ ...headingIn(above), indent: indent.length, items: [] });
    above = [];
    const section = sections.at(-1);
    if (section) addItem(section.items, line.slice(bullet.length).trim(), indent.length > section.indent);
  }
  return sections;
}

function addItem(items: string[], item: string, isWithin: boolean): void {
  if (!isItem(item)) return;
  const outer = isWithin ? items.pop() : undefined;
  items.push(outer === undefined ? item : `${outer}${outer.endsWith(':') ? ' ' : '; '}${item}`);
}

/** The nearest line above a list that says what it is; a short line that is no sentence is a heading of its own. */
function headingIn(above: readonly string[]): Pick<Section, 'heading' | 'kind'> {
  const near = above.slice(-LINES_ABOVE_MAX).toReversed();
  for (const line of near) {
    const kind = line.length > HEADING_CHARACTERS_MAX ? undefined : headingKind(line);
    if (kind !== undefined) return { heading: line, kind };
    const isSentence = line.length > HEADING_CHARACTERS_MAX || /[.:,;]$/.test(line);
    if (!isSentence) break;
  }
  return { heading: near[0] ?? '', kind: undefined };
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
