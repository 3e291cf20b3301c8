import { createNote, type PlanNote } from '../bulk/plan/notes.ts';
import { clean, details, type Style, type View } from '../cli/terminal/view.ts';
import { getWidth, shorten } from '../cli/terminal/width.ts';
import { cents, word } from '../cli/terminal/words.ts';
import type { ServerJob } from '../client/client.ts';
import { type Difference, ENTRY_KINDS } from '../contract/entries.ts';
import { isObject } from '../contract/values.ts';
import { formatCount, formatDollars, formatNumber } from '../contract/words.ts';
import type { Origin, Origins } from '../listings/read/listing.ts';
import { groupBy } from '../text/group-by.ts';
import { escapeControlChars } from '../text/outside-text.ts';

type Fields = Readonly<Record<string, unknown>>;
type Change = Omit<Difference, 'field'> & { readonly field: string };

const MOST_COLUMNS = 60;
const LEAD_CHARACTERS = 20;

/** Formats changes by field, such as `salaryMax  $80,000 → $95,000`. Lists are compared by entry. */
export function changeLines(changes: readonly Change[], view: View, origins: Origins = {}): string {
  return details(
    changes.map((change) => {
      const text = changeText(change, view);
      const origin = view.paint('dim', formatOrigin(change.field, origins).trim());
      return [
        change.field,
        text.includes('\n') ? `${origin}\n${text}`.trimStart() : `${text} ${origin}`.trimEnd(),
      ];
    }),
    view,
  );
}

export function originLines(origins: Origins, view: View): string {
  const sources = groupBy(Object.entries(origins), ([, origin]) => clean(describeOrigin(origin)));
  const formatField = ([field, { value }]: [string, Origin]) =>
    `${field} ${valueText(value, field)}`.trimEnd();
  return details(
    Array.from(sources, ([source, of]) => [source, clean(of.map(formatField).join(', '))]),
    view,
  );
}

/** Formats the values that rules set, such as `jobLevel SENIOR (by rule 2 of jobs/_defaults.yaml)`. */
export function describeRuled(origins: Origins = {}): string {
  const ruled = Object.entries(origins).filter(([, { rule }]) => rule !== undefined);
  return ruled
    .map(([field, { value }]) => `${field} ${valueText(value, field)}${formatOrigin(field, origins)}`)
    .join('; ');
}

/** `by rule 2 of jobs/_defaults.yaml`, or `from jobs/_defaults.yaml` if the file sets the field for all listings. */
function describeOrigin({ file, rule }: Origin): string {
  return rule === undefined ? `from ${file}` : `by rule ${rule} of ${file}`;
}

function formatOrigin(field: string, origins: Origins): string {
  const origin = origins[field];
  return origin === undefined ? '' : ` (${clean(describeOrigin(origin))})`;
}

const SIGNS = {
  '~': { style: 'yellow', word: 'changed' },
  '-': { style: 'red', word: 'removed' },
  '+': { style: 'green', word: 'added' },
} as const;

interface SignedText {
  readonly sign: keyof typeof SIGNS;
  readonly text: string;
}

function changeText({ field, from, to }: Change, view: View): string {
  const formatSigned = (lines: readonly SignedText[]): string =>
    lines.map(({ sign, text }) => `${view.paint(SIGNS[sign].style, sign)} ${text}`).join('\n');
  const entries = entryChanges(field, from, to);
  if (entries !== undefined) return formatSigned(entries);
  const [before, after] = [valueText(from, field), valueText(to, field)];
  if (!isLong(before) && !isLong(after)) return formatArrow(before, after, view.paint('dim', '(none)'));
  const lines = distinguishTexts(before, after).map(
    (text, at) => ({ sign: at === 0 ? '-' : '+', text }) as const,
  );
  return `${view.paint('dim', sizeOfChange(before, after))}\n${formatSigned(lines.filter(({ text }) => text !== ''))}`;
}

export function changesOnOneLine(changes: readonly Difference[], origins: Origins = {}): string {
  return changes
    .map(({ field, from, to }) => changeOnOneLine(field, from, to) + formatOrigin(field, origins))
    .join('; ');
}

export function changeOnOneLine(field: string, from: unknown, to: unknown): string {
  const entries = entryChanges(field, from, to);
  if (entries !== undefined) return `${field} ${shortEntries(entries)}`;
  const [before, after] = [valueText(from, field), valueText(to, field)];
  const isShort = !isLong(before) && !isLong(after);
  return `${clean(field)} ${isShort ? formatArrow(before, after) : sizeOfChange(before, after)}`;
}

function shortEntries(changes: readonly SignedText[]): string {
  const whole = changes.map(({ sign, text }) => `${sign} ${text}`).join(', ');
  if (!isLong(whole)) return whole;
  const byWord = groupBy(changes, ({ sign }) => SIGNS[sign].word);
  return Array.from(byWord, ([word, { length }]) => `${length} ${word}`).join(', ');
}

export function differenceNotes(differences: readonly Difference[], jobId: number): PlanNote[] {
  if (differences.length === 0) return [];
  return [createNote('NOT_AS_SENT', { jobId, differences: changesOnOneLine(differences) })];
}

export function differenceWarnings(differences: readonly Difference[], { id }: ServerJob): string[] {
  return differenceNotes(differences, id).map(({ message }) => `warning: ${message}`);
}

function valueText(value: unknown, field?: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Number.isSafeInteger(value)) {
    if (field === 'salaryMin' || field === 'salaryMax') return formatDollars(value as number);
    if (field === 'bidPerQualifiedApplicantCents') return cents(value) ?? '';
  }
  return JSON.stringify(value) ?? '';
}

function isLong(text: string): boolean {
  return text.length > MOST_COLUMNS || /[\r\n]/.test(text);
}

function formatArrow(before: string, after: string, none = '(none)'): string {
  const [a, b] = distinguishTexts(before, after);
  return `${a || none} → ${b || none}`;
}

export function sizeOfChange(before: string, after: string): string {
  const [from, to] = [Array.from(before), Array.from(after)];
  const start = countSharedStart(from, to);
  const most = Math.min(from.length, to.length) - start;
  let end = 0;
  while (end < most && from.at(-1 - end) === to.at(-1 - end)) end++;
  const [removed, added] = [from.length - start - end, to.length - start - end];
  if (removed > 0 && added > 0)
    return `${formatCount(removed, 'character')} replaced with ${formatNumber(added)}`;
  return removed > 0
    ? `${formatCount(removed, 'character')} removed`
    : `${formatCount(added, 'character')} added`;
}

export function distinguishTexts(before: string, after: string): readonly [from: string, to: string] {
  const lines = [before, after].map((text) => escapeControlChars(text.replace(/[\r\n\t]+/g, ' ')));
  // If the texts differ only in line breaks or tabs, shows these as escape sequences.
  const [from = '', to = ''] = lines[0] === lines[1] ? [before, after].map(escapeControlChars) : lines;
  if ([from, to].every((text) => getWidth(text) <= MOST_COLUMNS)) return [from, to];
  const [a, b] = [Array.from(from), Array.from(to)];
  const start = leadStart(a, countSharedStart(a, b));
  const excerpt = (text: readonly string[]): string =>
    shorten(`${start > 0 ? '…' : ''}${text.slice(start).join('')}`, MOST_COLUMNS);
  return [excerpt(a), excerpt(b)];
}

export function alone(text: string): string {
  return distinguishTexts(text, '')[0];
}

function countSharedStart(from: readonly string[], to: readonly string[]): number {
  const start = from.findIndex((character, index) => character !== to[index]);
  return start === -1 ? from.length : start;
}

function leadStart(text: readonly string[], difference: number): number {
  if (difference <= LEAD_CHARACTERS) return 0;
  const space = text.lastIndexOf(' ', difference - LEAD_CHARACTERS / 2);
  return Math.max(space + 1, difference - LEAD_CHARACTERS);
}

const LABELS: Readonly<Record<string, (entry: Fields) => string>> = {
  locations: ({ city, stateProvince, country, locationId }) => {
    const names = [city, stateProvince, country].map((part) => valueText(part));
    const name = names.filter(Boolean).join(', ');
    return locationId === undefined ? name : `${name} (${valueText(locationId)})`;
  },
  qualifications: ({ kind, text }) => `${word(kind) ?? '–'}: ${valueText(text)}`,
  questions: ({ prompt, answerFormat, options }) => {
    const choices = (Array.isArray(options) ? options : []).map((part) => valueText(part)).join(' · ');
    return `${valueText(prompt)} (${[word(answerFormat) ?? '–', choices].filter(Boolean).join(': ')})`;
  },
  budgets: ({ window, budgetCents, notes }) =>
    [`${word(window) ?? '–'} ${cents(budgetCents) ?? '–'}`, valueText(notes)].filter(Boolean).join(' · '),
};

/** Pairs changed entries by identity, then by position. Ignores fields that the server adds. */
function entryChanges(field: string, from: unknown, to: unknown): SignedText[] | undefined {
  const [kind, label] = Object.hasOwn(LABELS, field) ? [ENTRY_KINDS[field], LABELS[field]] : [];
  if (kind === undefined || label === undefined) return undefined;
  const content = (entry: Fields): string =>
    JSON.stringify(kind.fields.map((name) => (name === 'order' ? null : (entry[name] ?? null))));
  const [before = [], after = []] = [from, to].map((value) =>
    Array.isArray(value) ? value.filter(isObject) : [],
  );
  takePairs(before, after, (a, b) => content(a) === content(b));
  const changed = [
    ...takePairs(before, after, (a, b) => a[kind.identity] === b[kind.identity]),
    ...takePairs(before, after, (a, b) => a.order !== undefined && a.order === b.order),
  ];
  const changes: SignedText[] = [
    ...changed.map(
      ([a, b]) => ({ sign: '~', text: distinguishTexts(label(a), label(b)).join(' → ') }) as const,
    ),
    ...before.map((entry) => ({ sign: '-', text: alone(label(entry)) }) as const),
    ...after.map((entry) => ({ sign: '+', text: alone(label(entry)) }) as const),
  ];
  const same = to === undefined ? 'missing' : 'same entries in a different order';
  return changes.length === 0 ? [{ sign: '~', text: same }] : changes;
}

function takePairs(before: Fields[], after: Fields[], matches: (a: Fields, b: Fields) => boolean) {
  return [...before].flatMap((entry): [Fields, Fields][] => {
    const at = after.findIndex((other) => matches(entry, other));
    if (at === -1) return [];
    before.splice(before.indexOf(entry), 1);
    return [[entry, ...after.splice(at, 1)] as [Fields, Fields]];
  });
}

const STATUS_STYLES: Readonly<Record<string, Style>> = {
  DRAFT: 'cyan',
  ACTIVE: 'green',
  PAUSED: 'yellow',
  CLOSED: 'dim',
  EXPIRED: 'dim',
};

export function statusStyle(status = ''): Style | undefined {
  return Object.hasOwn(STATUS_STYLES, status) ? STATUS_STYLES[status] : undefined;
}
