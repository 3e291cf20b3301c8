import { isObject } from '../../contract/is-object.ts';
import { alone, toldApart } from './apart.ts';
import { cents, word } from './words.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What happened to an entry of a list. */
export interface EntryChange {
  readonly sign: '+' | '-' | '~';
  readonly text: string;
}

/** A list of entries: what each is called, and what makes it the same entry with other content. */
interface EntryKind {
  /** Those that the contract sends, in the order in which they are compared. */
  readonly fields: readonly string[];
  readonly identity: string;
  readonly label: (entry: Fields) => string;
}

const KINDS: Readonly<Record<string, EntryKind>> = {
  locations: {
    fields: ['locationId', 'city', 'stateProvince', 'country'],
    identity: 'locationId',
    label: ({ city, stateProvince, country, locationId }) => {
      const name = [city, stateProvince, country].map(written).filter(Boolean).join(', ');
      return `${name} (${written(locationId)})`;
    },
  },
  qualifications: {
    fields: ['text', 'kind'],
    identity: 'text',
    label: ({ kind, text }) => `${word(kind) ?? '–'}: ${written(text)}`,
  },
  questions: {
    fields: ['prompt', 'answerFormat', 'options'],
    identity: 'prompt',
    label: ({ prompt, answerFormat, options }) => {
      const choices = (Array.isArray(options) ? options : []).map(written).join(' · ');
      return `${written(prompt)} (${[word(answerFormat) ?? '–', choices].filter(Boolean).join(': ')})`;
    },
  },
  budgets: {
    fields: ['window', 'budgetCents', 'notes'],
    identity: 'window',
    label: ({ window, budgetCents, notes }) =>
      [`${word(window) ?? '–'} ${cents(budgetCents) ?? '–'}`, written(notes)].filter(Boolean).join(' · '),
  },
};

/** True for a field that is a list of entries. */
export function isEntryField(field: string): boolean {
  return Object.hasOwn(KINDS, field);
}

/**
 * Which entries of a list went, came and changed: an entry changed where what identifies it stayed, or else
 * its place in the order. Ids and names that the server adds are no change.
 */
export function entryChanges(field: string, from: unknown, to: unknown): EntryChange[] {
  const kind = KINDS[field];
  if (kind === undefined) return [];
  const [before, after] = [entriesOf(from), entriesOf(to)];
  withoutPairs(before, after, (a, b) => content(kind, a) === content(kind, b));
  const changed = [
    ...withoutPairs(before, after, (a, b) => a[kind.identity] === b[kind.identity]),
    ...withoutPairs(before, after, (a, b) => a.order !== undefined && a.order === b.order),
  ];
  const changes: EntryChange[] = [
    ...changed.map(
      ([a, b]) => ({ sign: '~', text: toldApart(kind.label(a), kind.label(b)).join(' → ') }) as const,
    ),
    ...before.map((entry) => ({ sign: '-', text: alone(kind.label(entry)) }) as const),
    ...after.map((entry) => ({ sign: '+', text: alone(kind.label(entry)) }) as const),
  ];
  return changes.length === 0 ? [{ sign: '~', text: 'the same entries in another order' }] : changes;
}

/** Takes the pairs that match out of both lists, and gives them. */
function withoutPairs(
  before: Fields[],
  after: Fields[],
  matches: (a: Fields, b: Fields) => boolean,
): [Fields, Fields][] {
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

function content({ fields }: EntryKind, entry: Fields): string {
  return JSON.stringify(fields.map((field) => entry[field] ?? null));
}

/** As it came; `toldApart` cleans it. */
function written(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
