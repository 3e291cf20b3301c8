import type { Document } from 'yaml';
import { completenessGaps } from '../../contract/gate.ts';
import { CONTENT_FIELDS, EMPTY_CONTENT, type JobContent } from '../../contract/job.ts';
import { escapeControlChars, escapedJson, withoutRunnerCommands } from '../../contract/outside-text.ts';
import { markdownParts } from '../write/markdown.ts';
import { type WrittenListing, yamlDocument, yamlText } from '../write/yaml.ts';
import type { ImportedField, ImportedPosting, ImportedValue } from './imported-posting.ts';
import { IMPORTED_FIELDS } from './merge.ts';

export const IMPORT_FORMATS = ['yaml', 'json', 'md'] as const;

export type ImportFormat = (typeof IMPORT_FORMATS)[number];

type Yaml = Parameters<typeof yamlDocument>[0];

const COMMENT_CHARACTERS_MAX = 300;

/** What a person must still decide before a listing can go live, in the contract's order. */
export function leftToPerson(listing: Readonly<Record<string, unknown>>): (keyof JobContent)[] {
  const content: Record<string, unknown> = { ...EMPTY_CONTENT };
  for (const [field, empty] of Object.entries(EMPTY_CONTENT)) {
    const value = listing[field];
    if (Array.isArray(empty)) content[field] = Array.isArray(value) ? value.map((entry) => entry ?? {}) : [];
    else if (typeof value === 'string' || typeof value === 'number') content[field] = value;
  }
  for (const field of ['title', 'description', 'remoteCountry'])
    content[field] = String(content[field] ?? '');
  const fields = completenessGaps(content as JobContent).map(({ path }) => path[0] as keyof JobContent);
  return [...new Set(fields)];
}

export function newListing(posting: ImportedPosting, from: string, format: ImportFormat, yaml: Yaml): string {
  const values = valuesOf(posting);
  // `apply` knows the listing by it, whatever a later import or a person changes.
  const key = escapeControlChars(`${from}:${posting.id}`);
  if (format === 'json') return `${escapedJson({ key, ...values })}\n`;
  const { head, body } =
    format === 'md' ? markdownParts(yaml, values) : { head: yamlDocument(yaml, values), body: '' };
  const fields = fieldLines(head);
  const left = leftToPerson(values);
  const first = left.length === 0 ? [] : [`# Before it can go live, decide: ${left.join(', ')}`];
  const lines = [`# Posting ${posting.id} of ${from}`, ...first].map(comment);
  lines.push(
    ...(fieldLines(new yaml.Document({ key }, { version: '1.2', compat: 'yaml-1.1' })).get('key') ?? []),
  );
  const missing = missingFields(posting);
  for (const field of CONTENT_FIELDS) {
    lines.push(...fieldComments(posting, field, missing), ...(fields.get(field) ?? []));
  }
  const text = lines.join('\n');
  return format === 'md' ? `---\n${text}\n---\n${body === '' ? '' : `\n${body}\n`}` : `${text}\n`;
}

export function valuesOf({ values }: ImportedPosting): WrittenListing {
  const given = IMPORTED_FIELDS.filter((field) => values[field] !== undefined);
  return Object.fromEntries(given.map((field) => [field, values[field]?.value]));
}

/** Each field of a document as its lines: whatever belongs to a field is indented or empty. */
export function fieldLines(document: Document): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of yamlText(document).replace(/\n$/, '').split('\n')) {
    const [, name] = /^(\w+):/.exec(line) ?? [];
    if (name !== undefined) {
      current = [];
      fields.set(name, current);
    }
    current.push(line);
  }
  return fields;
}

/** Fields that a live listing needs or a note speaks of, each with why it is left to a person. */
export function missingFields(posting: ImportedPosting): { field: keyof JobContent; why: string }[] {
  const { notes, values } = posting;
  const left = leftToPerson(valuesOf(posting));
  const noteOn = (field: string) =>
    notes.find((note) => note.field === field && note.kind === 'missing')?.text;
  return CONTENT_FIELDS.flatMap((field) => {
    const note = noteOn(field);
    const isOfPay = /^salaryM?[aP]/.test(field) && noteOn('salaryMin') !== undefined && !(field in values);
    const why = note ?? (isOfPay ? 'see salaryMin' : 'the source does not say it');
    return note !== undefined || left.includes(field) ? [{ field, why }] : [];
  });
}

/** What a person should know of a field, as comments: where it is guessed from, why it is missing, what was left out. */
export function fieldComments(
  posting: ImportedPosting,
  field: keyof JobContent,
  allMissing = missingFields(posting),
): string[] {
  const value = posting.values[field as ImportedField];
  const missing = allMissing.find((one) => one.field === field);
  const leftOut = posting.notes.filter((note) => note.field === field && note.kind === 'left-out');
  return [
    ...valueComments(value),
    ...(missing === undefined ? [] : [`${value === undefined ? 'missing' : 'note'}: ${missing.why}`]),
    ...leftOut.map(({ text }) => `left out: ${text}`),
  ].map((text) => comment(`# ${field}: ${text}`));
}

function valueComments(value: ImportedValue | undefined): string[] {
  if (value === undefined) return [];
  const note = value.note ?? '';
  if (value.sure === 'taken') return note === '' ? [] : [`note: ${note}`];
  return [`guessed from ${value.from}${note === '' ? '' : `; ${note}`}`];
}

export function isCommentOf(field: string, line: string): boolean {
  const [, name] = /^# (\w+): (?:guessed from |note: |missing: |left out: )/.exec(line) ?? [];
  return name === field;
}

/** One line, whatever the source holds. */
function comment(line: string): string {
  const text = withoutRunnerCommands(escapeControlChars(line));
  return text.length > COMMENT_CHARACTERS_MAX ? `${text.slice(0, COMMENT_CHARACTERS_MAX)}…` : text;
}
