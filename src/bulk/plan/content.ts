import { hash } from 'node:crypto';
import { ENTRY_KINDS } from '../../contract/entries.ts';
import {
  CONTENT_FIELDS,
  EMPTY_CONTENT,
  type JobContent,
  type JobInput,
  type JobUpdate,
} from '../../contract/job.ts';
import { isObject } from '../../contract/values.ts';
import type { FieldDigests } from '../state/state.ts';

type Entry = Readonly<Record<string, unknown>>;

/** 72 bits: among a million listings, two different ones agree with a chance of 1 in 10^10. */
const DIGEST_CHARACTERS = 12;

/** The fields that a listing gives, without `publish`, in the specification's order, as they are sent. */
export function wantedContent(input: JobInput): JobUpdate {
  const given = CONTENT_FIELDS.filter((field) => input[field] !== undefined);
  return Object.fromEntries(given.map((field) => [field, input[field]]));
}

/** The order of keys, ids, what a server adds, and which of the empty values (null, '', []) it is make no difference. */
export function fieldDigests(content: Entry): FieldDigests {
  const digests: Partial<Record<keyof JobContent, string>> = {};
  for (const field of CONTENT_FIELDS) {
    const value = content[field];
    if (value !== undefined)
      digests[field] = isEmpty(value) ? EMPTY_DIGEST : digestOf(canonical(field, value));
  }
  return digests;
}

/** The digests of those fields of a server's job that differ from `content`. */
export function otherDigests(job: Entry, content: Entry): FieldDigests {
  const digests: Partial<Record<keyof JobContent, string>> = {};
  for (const field of CONTENT_FIELDS) {
    const [given, answered] = [content[field], job[field]];
    if (given === undefined || answered === undefined || given === answered) continue;
    const [wanted, text] = [digestedText(field, given), digestedText(field, answered)];
    if (wanted !== text) digests[field] = digestOf(text);
  }
  return digests;
}

/** One digest for all of them. A field that is empty is not one that is left out. */
export function wholeDigest(digests: FieldDigests): string {
  let text = '';
  for (const field of CONTENT_FIELDS) {
    const digest = digests[field];
    if (digest !== undefined) text += `${field}:${digest}\n`;
  }
  return digestOf(text);
}

/** One digest in which an empty field is the same as one that is left out: to recognise a listing's job. */
export function contentFingerprint(digests: FieldDigests): string {
  const filled = Object.entries(digests).filter(([, digest]) => digest !== EMPTY_DIGEST);
  return wholeDigest(Object.fromEntries(filled));
}

/** What a server's value of a field would be in a listing: without ids and whatever else the server adds. */
export function contentOf(field: keyof JobContent, value: unknown): unknown {
  if (isEmpty(value) || value === undefined) return EMPTY_CONTENT[field];
  const kind = ENTRY_KINDS[field];
  if (kind === undefined || !isListOfObjects(value)) return value;
  return value.map((entry) => picked(kind.fields, entry));
}

/** What the digest of an entry is made of. States hold digests, so this cannot change. */
const DIGESTED: Readonly<Record<string, (entry: Entry) => unknown>> = {
  locations: (entry) => entry.locationId ?? sortedKeys(entry),
  qualifications: ({ text, kind, order }) => [text, kind, order],
  questions: ({ prompt, answerFormat, options, order }) => [prompt, answerFormat, options ?? [], order],
  budgets: ({ window, budgetCents, notes = null }) => [window, budgetCents, isEmpty(notes) ? null : notes],
};

/** Of a set whose order is no content. */
const COMPARE: Readonly<Record<string, (a: Entry, b: Entry) => number>> = {
  qualifications: byOrder,
  questions: byOrder,
  budgets: (a, b) => compareText(String(a.window), String(b.window)),
};

const OPTIONAL: readonly string[] = ['options', 'notes'];

function picked(fields: readonly string[], entry: Entry): Entry {
  const kept = fields.filter((field) => !(OPTIONAL.includes(field) && isEmpty(entry[field] ?? null)));
  return Object.fromEntries(kept.map((field) => [field, entry[field]]));
}

function canonical(field: keyof JobContent, value: unknown): string {
  if (typeof value === 'string') return `"${value}`;
  const [digested, compare] = [DIGESTED[field], COMPARE[field]];
  if (digested === undefined || !isListOfObjects(value)) return JSON.stringify(sortedKeys(value));
  return JSON.stringify((compare === undefined ? value : [...value].sort(compare)).map(digested));
}

function digestedText(field: keyof JobContent, value: unknown): string {
  return isEmpty(value) ? EMPTY_TEXT : canonical(field, value);
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, DIGEST_CHARACTERS);
}

const EMPTY_TEXT = 'null';
export const EMPTY_DIGEST = digestOf(EMPTY_TEXT);

function byOrder(a: Entry, b: Entry): number {
  return Number(a.order) - Number(b.order) || 0;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function isListOfObjects(value: unknown): value is readonly Entry[] {
  return Array.isArray(value) && value.every(isObject);
}

export function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortedKeys(inner)]));
}
