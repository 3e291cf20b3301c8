import { ENTRY_KINDS } from '../../contract/entries.ts';
import { escapeControlChars } from '../../contract/outside-text.ts';
import { isObject } from '../../contract/values.ts';
import { formatDollars, grouped } from '../../contract/words.ts';
import { clean } from './view.ts';
import { shorten, widthOf } from './width.ts';
import { cents, word } from './words.ts';

type Fields = Readonly<Record<string, unknown>>;

const MOST_COLUMNS = 60;
/** How much of what both texts share is shown before the difference. */
const LEAD_CHARACTERS = 20;

/** A value as text, not cleaned yet; money as money; '' where there is none. */
export function valueText(value: unknown, field?: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Number.isSafeInteger(value)) {
    if (field === 'salaryMin' || field === 'salaryMax') return formatDollars(value as number);
    if (field === 'bidPerQualifiedApplicantCents') return cents(value) ?? '';
  }
  return JSON.stringify(value) ?? '';
}

export function isLong(text: string): boolean {
  return text.length > MOST_COLUMNS || /[\r\n]/.test(text);
}

/** `$80,000 → $95,000`. */
export function arrow(before: string, after: string, none = '(none)'): string {
  const [a, b] = before !== '' && after !== '' ? toldApart(before, after) : [alone(before), alone(after)];
  return `${a || none} → ${b || none}`;
}

/** `12 characters became 40`: how much of a long text is another. */
export function sizeOfChange(before: string, after: string): string {
  const [from, to] = [Array.from(before), Array.from(after)];
  const start = sharedStart(from, to);
  const most = Math.min(from.length, to.length) - start;
  let end = 0;
  while (end < most && from.at(-1 - end) === to.at(-1 - end)) end++;
  const [removed, added] = [from.length - start - end, to.length - start - end];
  const characters = (count: number) => `${grouped(count)} character${count === 1 ? '' : 's'}`;
  if (removed > 0 && added > 0) return `${characters(removed)} became ${grouped(added)}`;
  return removed > 0 ? `${characters(removed)} removed` : `${characters(added)} added`;
}

/** Two texts on one line each, whole where they are short, else around their first difference. */
export function toldApart(before: string, after: string): readonly [from: string, to: string] {
  const lines = [before, after].map((text) => escapeControlChars(text.replace(/[\r\n\t]+/g, ' ')));
  // Only the white space differs: its codes are shown too.
  const [from = '', to = ''] = lines[0] === lines[1] ? [before, after].map(escapeControlChars) : lines;
  if ([from, to].every((text) => widthOf(text, MOST_COLUMNS) <= MOST_COLUMNS)) return [from, to];
  const [a, b] = [Array.from(from), Array.from(to)];
  const start = leadStart(a, sharedStart(a, b));
  const excerpt = (text: readonly string[]): string =>
    shorten(`${start > 0 ? '…' : ''}${text.slice(start).join('')}`, MOST_COLUMNS);
  return [excerpt(a), excerpt(b)];
}

/** One text on one line, short, hidden characters as their codes. */
export function alone(text: string): string {
  return text === '' ? '' : toldApart(text, '')[0];
}

function sharedStart(from: readonly string[], to: readonly string[]): number {
  const start = from.findIndex((character, index) => character !== to[index]);
  return start === -1 ? from.length : start;
}

/** Where to begin: at a word some way before the difference. */
function leadStart(text: readonly string[], difference: number): number {
  if (difference <= LEAD_CHARACTERS) return 0;
  const space = text.lastIndexOf(' ', difference - LEAD_CHARACTERS / 2);
  return Math.max(space + 1, difference - LEAD_CHARACTERS);
}

export interface EntryChange {
  readonly sign: '+' | '-' | '~';
  readonly text: string;
}

const LABELS: Readonly<Record<string, (entry: Fields) => string>> = {
  locations: ({ city, stateProvince, country, locationId }) => {
    const names = [city, stateProvince, country].map((part) => valueText(part));
    return `${names.filter(Boolean).join(', ')} (${valueText(locationId)})`;
  },
  qualifications: ({ kind, text }) => `${word(kind) ?? '–'}: ${valueText(text)}`,
  questions: ({ prompt, answerFormat, options }) => {
    const choices = (Array.isArray(options) ? options : []).map((part) => valueText(part)).join(' · ');
    return `${valueText(prompt)} (${[word(answerFormat) ?? '–', choices].filter(Boolean).join(': ')})`;
  },
  budgets: ({ window, budgetCents, notes }) =>
    [`${word(window) ?? '–'} ${cents(budgetCents) ?? '–'}`, valueText(notes)].filter(Boolean).join(' · '),
};

export function isEntryField(field: string): boolean {
  return Object.hasOwn(LABELS, field);
}

/**
 * Which entries of a list went, came and changed: an entry changed where what identifies it stayed, or else
 * its place in the order. Ids and names that the server adds are no change.
 */
export function entryChanges(field: string, from: unknown, to: unknown): EntryChange[] {
  const [kind, label] = [ENTRY_KINDS[field], LABELS[field]];
  if (kind === undefined || label === undefined) return [];
  const content = (entry: Fields): string =>
    JSON.stringify(kind.fields.map((name) => (name === 'order' ? null : (entry[name] ?? null))));
  const [before, after] = [entriesOf(from), entriesOf(to)];
  withoutPairs(before, after, (a, b) => content(a) === content(b));
  const changed = [
    ...withoutPairs(before, after, (a, b) => a[kind.identity] === b[kind.identity]),
    ...withoutPairs(before, after, (a, b) => a.order !== undefined && a.order === b.order),
  ];
  const changes: EntryChange[] = [
    ...changed.map(([a, b]) => ({ sign: '~', text: toldApart(label(a), label(b)).join(' → ') }) as const),
    ...before.map((entry) => ({ sign: '-', text: alone(label(entry)) }) as const),
    ...after.map((entry) => ({ sign: '+', text: alone(label(entry)) }) as const),
  ];
  const same = to === undefined ? 'missing' : 'the same entries in another order';
  return changes.length === 0 ? [{ sign: '~', text: same }] : changes;
}

function withoutPairs(before: Fields[], after: Fields[], matches: (a: Fields, b: Fields) => boolean) {
  const pairs: [Fields, Fields][] = [];
  for (const entry of [...before]) {
    const partner = after.find((other) => matches(entry, other));
    if (partner === undefined) continue;
    before.splice(before.indexOf(entry), 1);
    after.splice(after.indexOf(partner), 1);
    pairs.push([entry, partner]);
  }
  return pairs;
}

/** Every entry an object of its own, so that two equal ones are two. */
function entriesOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject).map((entry) => ({ ...entry })) : [];
}

export function changeOnOneLine(field: string, from: unknown, to: unknown): string {
  if (isEntryField(field)) return `${field} ${shortEntries(entryChanges(field, from, to))}`;
  const [before, after] = [valueText(from, field), valueText(to, field)];
  const isShort = !isLong(before) && !isLong(after);
  return `${clean(field)} ${isShort ? arrow(before, after) : sizeOfChange(before, after)}`;
}

/** The entries themselves where they are short, else how many. */
function shortEntries(changes: readonly EntryChange[]): string {
  const whole = changes.map(({ sign, text }) => `${sign} ${text}`).join(', ');
  if (!isLong(whole)) return whole;
  const words = { '~': 'changed', '-': 'removed', '+': 'added' } as const;
  return Object.entries(words)
    .map(([of, word]) => [changes.filter(({ sign }) => sign === of).length, word] as const)
    .flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`]))
    .join(', ');
}
