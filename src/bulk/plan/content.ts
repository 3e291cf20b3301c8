import { hash } from 'node:crypto';
import {
  CONTENT_FIELDS,
  EMPTY_CONTENT,
  type JobContent,
  type JobInput,
  type JobUpdate,
} from '../../contract/job.ts';
import type { FieldDigests } from '../state/state.ts';

/** 72 bits: among a million listings, two that are not alike agree with a chance of 1 in 10^10. */
const DIGEST_CHARACTERS = 12;

/** The fields that a listing gives, without `publish`, in the specification's order, as they are sent. */
export function wantedContent(input: JobInput): JobUpdate {
  const given = CONTENT_FIELDS.filter((field) => input[field] !== undefined);
  return Object.fromEntries(given.map((field) => [field, input[field]]));
}

/**
 * A digest of each field that `content` gives. Equal where the content is: the order of keys, ids, what a
 * server adds, and which of the empty values (null, '', []) it is make no difference.
 */
export function fieldDigests(content: Readonly<Record<string, unknown>>): FieldDigests {
  const digests: Partial<Record<keyof JobContent, string>> = {};
  for (const field of CONTENT_FIELDS) {
    const value = content[field];
    if (value !== undefined)
      digests[field] = isEmpty(value) ? EMPTY_DIGEST : digestOf(canonical(field, value));
  }
  return digests;
}

/** The same of a job as a server answers it. What it leaves out is not known, and so has no digest. */
export function jobDigests(job: Readonly<Record<string, unknown>>): FieldDigests {
  return fieldDigests(job);
}

/** The digests of those fields of a job, as a server answers it, that are other than in `content`. */
export function otherDigests(
  job: Readonly<Record<string, unknown>>,
  content: Readonly<Record<string, unknown>>,
): FieldDigests {
  const digests: Partial<Record<keyof JobContent, string>> = {};
  for (const field of CONTENT_FIELDS) {
    const [given, answered] = [content[field], job[field]];
    if (given === undefined || answered === undefined || given === answered) continue;
    const [wanted, text] = [digestedText(field, given), digestedText(field, answered)];
    if (wanted !== text) digests[field] = digestOf(text);
  }
  return digests;
}

/** One digest for all of them, whatever their order. A field that is empty is not one that is left out. */
export function wholeDigest(digests: FieldDigests): string {
  let text = '';
  for (const field of CONTENT_FIELDS) {
    const digest = digests[field];
    if (digest !== undefined) text += `${field}:${digest}\n`;
  }
  return digestOf(text);
}

/** What a field of a listing holds of a server's value: entries without ids and whatever else it adds. */
export function contentOf(field: keyof JobContent, value: unknown): unknown {
  if (isEmpty(value) || value === undefined) return EMPTY_CONTENT[field];
  const pick = ENTRIES[field]?.pick;
  return pick === undefined || !isListOfObjects(value) ? value : value.map(pick);
}

type Entry = Readonly<Record<string, unknown>>;

interface EntryForm {
  /** The entry as it is sent. */
  readonly pick: (entry: Entry) => unknown;
  /** What makes two entries the same. */
  readonly identity: (entry: Entry) => unknown;
  /** Of a set whose order is no content. */
  readonly compare?: (a: Entry, b: Entry) => number;
}

/** The fields that are lists of objects, sections 2.3 to 2.6. */
const ENTRIES: Readonly<Partial<Record<keyof JobContent, EntryForm>>> = {
  locations: {
    pick: ({ locationId, city, stateProvince, country }) => ({ locationId, city, stateProvince, country }),
    identity: (entry) => entry.locationId ?? sortedKeys(entry),
  },
  qualifications: {
    pick: ({ text, kind, order }) => ({ text, kind, order }),
    identity: ({ text, kind, order }) => [text, kind, order],
    compare: byOrder,
  },
  questions: {
    pick: ({ prompt, answerFormat, options, order }) => ({
      prompt,
      answerFormat,
      ...(isEmpty(options ?? null) ? {} : { options }),
      order,
    }),
    identity: ({ prompt, answerFormat, options, order }) => [prompt, answerFormat, options ?? [], order],
    compare: byOrder,
  },
  budgets: {
    pick: ({ window, budgetCents, notes }) => ({
      window,
      budgetCents,
      ...(isEmpty(notes ?? null) ? {} : { notes }),
    }),
    identity: ({ window, budgetCents, notes }) => [
      window,
      budgetCents,
      isEmpty(notes ?? null) ? null : notes,
    ],
    compare: (a, b) => compareText(String(a.window), String(b.window)),
  },
};

function canonical(field: keyof JobContent, value: unknown): string {
  if (typeof value === 'string') return `"${value}`;
  const form = ENTRIES[field];
  if (form === undefined || !isListOfObjects(value)) return JSON.stringify(sortedKeys(value));
  const { identity, compare } = form;
  return JSON.stringify((compare === undefined ? value : [...value].sort(compare)).map(identity));
}

/** What a digest is made of. */
function digestedText(field: keyof JobContent, value: unknown): string {
  return isEmpty(value) ? EMPTY_TEXT : canonical(field, value);
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, DIGEST_CHARACTERS);
}

/** What every empty value has. */
const EMPTY_TEXT = 'null';
export const EMPTY_DIGEST = digestOf(EMPTY_TEXT);

function byOrder(a: Entry, b: Entry): number {
  return Number(a.order) - Number(b.order) || 0;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Null, '' and [] say the same: that there is nothing. */
function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function isListOfObjects(value: unknown): value is readonly Entry[] {
  return (
    Array.isArray(value) &&
    value.every((entry) => typeof entry === 'object' && entry !== null && !Array.isArray(entry))
  );
}

/** A value of no known shape, the keys of its objects in one order. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortedKeys(inner)]));
}
