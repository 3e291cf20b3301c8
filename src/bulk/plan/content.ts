import { hash } from 'node:crypto';
import { ENTRY_KINDS } from '../../contract/entries.ts';
import { CONTENT_FIELDS, EMPTY_CONTENT, type JobContent, type JobInput } from '../../contract/job.ts';
import { isEmpty, isObject, pickFields } from '../../contract/values.ts';
import type { FieldDigests } from '../state/state.ts';

type Entry = Readonly<Record<string, unknown>>;

/** A digest has 72 bits, so the chance that two of a million listings share one is 1 in 10^10. */
const DIGEST_CHARACTERS = 12;

export function pickContent(input: JobInput) {
  return pickFields(input, CONTENT_FIELDS);
}

/** Digests ignore key order, IDs that the server adds, and differences between empty values (null, '', []). */
export function fieldDigests(content: Entry): FieldDigests {
  const digests: Partial<Record<keyof JobContent, string>> = {};
  for (const field of CONTENT_FIELDS) {
    const value = content[field];
    if (value !== undefined)
      digests[field] = isEmpty(value) ? EMPTY_DIGEST : hashText(canonical(field, value));
  }
  return digests;
}

export function otherDigests(job: Entry, content: Entry): FieldDigests {
  const digests: Partial<Record<keyof JobContent, string>> = {};
  for (const field of CONTENT_FIELDS) {
    const [given, answered] = [content[field], job[field]];
    if (given === undefined || answered === undefined || given === answered) continue;
    const [wanted, text] = [toDigestText(field, given), toDigestText(field, answered)];
    if (wanted !== text) digests[field] = hashText(text);
  }
  return digests;
}

export function wholeDigest(digests: FieldDigests): string {
  let text = '';
  for (const field of CONTENT_FIELDS) {
    const digest = digests[field];
    if (digest !== undefined) text += `${field}:${digest}\n`;
  }
  return hashText(text);
}

/** Like `wholeDigest`, but treats empty and missing fields as equal, to match a listing with a job. */
export function contentFingerprint(digests: FieldDigests): string {
  const filled = Object.entries(digests).filter(([, digest]) => digest !== EMPTY_DIGEST);
  return wholeDigest(Object.fromEntries(filled));
}

export function normalizeField(field: keyof JobContent, value: unknown): unknown {
  if (isEmpty(value)) return EMPTY_CONTENT[field];
  const kind = ENTRY_KINDS[field];
  if (kind === undefined || !isListOfObjects(value)) return value;
  return value.map((entry) => {
    const names = kind.fields.filter((name) => !OPTIONAL.includes(name) || !isEmpty(entry[name]));
    return pickFields(entry, names);
  });
}

/** Digest input of list entries. State files store the digests, so this must not change. */
const DIGESTED: Readonly<Record<string, (entry: Entry) => unknown>> = {
  locations: (entry) => entry.locationId ?? sortKeys(entry),
  qualifications: ({ text, kind, order }) => [text, kind, order],
  questions: ({ prompt, answerFormat, options, order }) => [prompt, answerFormat, options ?? [], order],
  budgets: ({ window, budgetCents, notes }) => [window, budgetCents, isEmpty(notes) ? null : notes],
};

const COMPARE: Readonly<Record<string, (a: Entry, b: Entry) => number>> = {
  qualifications: byOrder,
  questions: byOrder,
  budgets: (a, b) => compareText(String(a.window), String(b.window)),
};

const OPTIONAL: readonly string[] = ['options', 'notes'];

function canonical(field: keyof JobContent, value: unknown): string {
  if (typeof value === 'string') return `"${value}`;
  const [digested, compare] = [DIGESTED[field], COMPARE[field]];
  if (digested === undefined || !isListOfObjects(value)) return JSON.stringify(sortKeys(value));
  return JSON.stringify((compare === undefined ? value : [...value].sort(compare)).map(digested));
}

function toDigestText(field: keyof JobContent, value: unknown): string {
  return isEmpty(value) ? EMPTY_TEXT : canonical(field, value);
}

function hashText(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, DIGEST_CHARACTERS);
}

const EMPTY_TEXT = 'null';
export const EMPTY_DIGEST = hashText(EMPTY_TEXT);

function byOrder(a: Entry, b: Entry): number {
  return Number(a.order) - Number(b.order) || 0;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function isListOfObjects(value: unknown): value is readonly Entry[] {
  return Array.isArray(value) && value.every(isObject);
}

export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}
