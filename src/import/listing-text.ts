import type { Document } from 'yaml';
import { completenessGaps } from '../contract/gate.ts';
import { CONTENT_FIELDS, EMPTY_CONTENT, type JobContent } from '../contract/job.ts';
import { clipText, fieldName } from '../contract/problems.ts';
import { attempt } from '../contract/system-errors.ts';
import { isObject } from '../contract/values.ts';
import { type Fault, sentence } from '../listings/check/finding.ts';
import { readJson } from '../listings/read/json.ts';
import { listingsOfYaml } from '../listings/read/yaml.ts';
import { markdownParts, type WrittenListing, yamlDocument, yamlText } from '../listings/write/yaml.ts';
import { escapeControlChars, formatJson, withoutRunnerCommands } from '../text/outside-text.ts';
import { FILE_FIELDS, IMPORTED_FIELDS, type ImportedField, type ImportedPosting } from './source-posting.ts';

type FileField = (typeof FILE_FIELDS)[number];

export const IMPORT_FORMATS = ['yaml', 'json', 'md'] as const;

export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export type Yaml = Pick<
  typeof import('yaml'),
  'Document' | 'isMap' | 'isScalar' | 'parseAllDocuments' | 'visit'
>;

const COMMENT_CHARACTERS_MAX = 300;

/** Returns the fields that the user must set before the listing can go live, in the contract's order. */
export function listFieldsToSet(listing: Readonly<Record<string, unknown>>): (keyof JobContent)[] {
  const content: Record<string, unknown> = { ...EMPTY_CONTENT };
  for (const [field, empty] of Object.entries(EMPTY_CONTENT)) {
    const value = listing[field];
    if (Array.isArray(empty)) content[field] = Array.isArray(value) ? value.map((entry) => entry ?? {}) : [];
    else if (typeof value === 'string' || typeof value === 'number') content[field] = value;
  }
  for (const field of ['title', 'description', 'remoteCountry'])
    content[field] = String(content[field] ?? '');
  const gaps = completenessGaps(content as JobContent);
  return [...new Set(gaps.map(({ path }) => path[0] as keyof JobContent))];
}

export function newListing(posting: ImportedPosting, from: string, format: ImportFormat, yaml: Yaml): string {
  const values = toWrittenListing(posting);
  // Identifies the listing for `apply`, even if an import or the user changes other fields.
  const key = escapeControlChars(`${from}:${posting.id}`);
  if (format === 'json') return `${formatJson({ key, ...values })}\n`;
  const { head, body } =
    format === 'md' ? markdownParts(yaml, values) : { head: yamlDocument(yaml, values), body: '' };
  const fields = fieldLines(head);
  const left = listFieldsToSet({ ...posting.given, ...values });
  const first = left.length === 0 ? [] : [`# Required to publish: ${left.join(', ')}`];
  const lines = [`# Posting ${posting.id} of ${from}`, ...first].map(comment);
  lines.push(yamlText(new yaml.Document({ key }, { version: '1.2', compat: 'yaml-1.1' })).replace(/\n$/, ''));
  const missing = missingFields(posting);
  for (const field of FILE_FIELDS)
    lines.push(...fieldComments(posting, field, missing), ...(fields.get(field) ?? []));
  const text = lines.join('\n');
  return format === 'md' ? `---\n${text}\n---\n${body === '' ? '' : `\n${body}\n`}` : `${text}\n`;
}

export function toWrittenListing({ values }: ImportedPosting): WrittenListing {
  const given = IMPORTED_FIELDS.filter((field) => values[field] !== undefined);
  return Object.fromEntries(given.map((field) => [field, values[field]?.value]));
}

export function fieldLines(document: Document): Map<string, string[]> {
  const parts = yamlText(document)
    .replace(/\n$/, '')
    .split(/\n(?=\w+:)/);
  return new Map(parts.map((part) => [part.split(':', 1).join(), part.split('\n')]));
}

export function missingFields(posting: ImportedPosting): { field: keyof JobContent; why: string }[] {
  const { notes, values } = posting;
  const left = listFieldsToSet({ ...posting.given, ...toWrittenListing(posting) });
  const findNote = (field: string) =>
    notes.find((note) => note.field === field && note.kind === 'missing')?.text;
  return CONTENT_FIELDS.flatMap((field) => {
    const note = findNote(field);
    const isOfPay = /^salaryM?[aP]/.test(field) && findNote('salaryMin') !== undefined && !(field in values);
    const why = note ?? (isOfPay ? 'see salaryMin' : 'not in the source');
    return note !== undefined || left.includes(field) ? [{ field, why }] : [];
  });
}

export function fieldComments(posting: ImportedPosting, field: FileField, gaps = missingFields(posting)) {
  const { sure, from, note = '' } = posting.values[field as ImportedField] ?? {};
  const missing = gaps.find((one) => one.field === field);
  const leftOut = posting.notes.filter((note) => note.field === field && note.kind === 'left-out');
  const texts = [
    sure === 'guessed' ? `guessed from ${from}${note && `; ${note}`}` : note && `note: ${note}`,
    missing && `${sure === undefined ? 'missing' : 'note'}: ${missing.why}`,
    ...leftOut.map(({ text }) => `left out: ${text}`),
  ];
  return texts.filter(Boolean).map((text) => comment(`# ${field}: ${text}`));
}

const COMMENT = /^# (\w+): (?:guessed from |note: |missing: |left out: )/;

function comment(line: string): string {
  return clipText(withoutRunnerCommands(escapeControlChars(line)), COMMENT_CHARACTERS_MAX);
}

/** A change to a field of a file. `lines` is empty if the field is removed or the format is JSON. */
interface FieldChange {
  readonly field: FileField;
  readonly value: unknown;
  readonly lines: readonly string[];
}

export interface EditableListing {
  readonly values: Readonly<Record<string, unknown>>;
  applyChanges(changes: readonly FieldChange[]): string;
}

/** Parses a listing for editing. Returns the reason as a phrase if the file can't be changed. */
export function editableListing(name: string, text: string, yaml: Yaml): EditableListing | string {
  if (/\.json$/i.test(name)) return jsonListing(text);
  if (/\.ya?ml$/i.test(name)) return yamlListing(text, yaml);
  if (/\.md$/i.test(name)) return markdownListing(text, yaml);
  return 'only .yaml, .json and .md files can be changed';
}

const FRONT_MATTER = /^(\ufeff?---[^\S\n]*\n)([\s\S]*?\n)(---[^\S\n]*(?:\n|$))/;

function markdownListing(text: string, yaml: Yaml): EditableListing | string {
  const [whole, open = '', head = '', close = ''] = FRONT_MATTER.exec(text) ?? [];
  if (whole === undefined) return 'it has no front matter between two --- lines';
  const listing = yamlListing(head, yaml);
  if (typeof listing === 'string') return listing;
  const body = text.slice(whole.length);
  const isInHead = 'description' in listing.values;
  return {
    values: isInHead ? listing.values : { ...listing.values, description: body },
    applyChanges(changes) {
      const change = isInHead ? undefined : changes.find(({ field }) => field === 'description');
      const description = String(change?.value ?? '');
      const changedBody = markdownParts(yaml, { description }).body;
      const inHead = changes.filter((one) => one !== change || (description !== '' && changedBody === ''));
      const below = change === undefined ? body : changedBody && `\n${changedBody}\n`;
      return `${open}${listing.applyChanges(inHead)}${close}${below}`;
    },
  };
}

function jsonListing(text: string): EditableListing | string {
  const reading = readJson(text);
  if (!reading.ok) return formatFault(reading.fault);
  const { value, flaws } = reading.document;
  if (flaws[0] !== undefined) return formatFault(flaws[0]);
  if (!isObject(value)) return NOT_ONE;
  return {
    values: value,
    applyChanges(changes) {
      const wanted = Object.fromEntries(changes.map(({ field, value: given }) => [field, given]));
      return `${formatJson({ ...value, ...wanted })}\n`;
    },
  };
}

const NOT_ONE = "it doesn't contain exactly one listing";

function yamlListing(text: string, yaml: Yaml): EditableListing | string {
  // The parser throws for aliases, which aren't allowed, and if it runs out of stack.
  return attempt(() => blockListing(text, yaml)) ?? 'it is nested too deeply, or has aliases';
}

function blockListing(text: string, yaml: Yaml): EditableListing | string {
  const [document, another] = yaml.parseAllDocuments(text, { version: '1.2', uniqueKeys: true });
  if (document === undefined || 'empty' in document || another !== undefined) return NOT_ONE;
  if (document.errors.length > 0) {
    const [reading] = listingsOfYaml(text);
    const fault = reading?.ok === false ? reading.fault : reading?.document.flaws[0];
    return fault === undefined ? NOT_ONE : formatFault(fault);
  }
  const map = document.contents;
  if (!yaml.isMap(map)) return NOT_ONE;
  const lines = text.split('\n');
  const fields = new Map<string, number>();
  for (const { key } of map.items) {
    const start = yaml.isScalar(key) ? key.range?.[0] : undefined;
    if (start === undefined || (start > 0 && text[start - 1] !== '\n'))
      return "its fields don't start at the beginning of a line";
    fields.set(String((key as { value: unknown }).value), text.slice(0, start).split('\n').length - 1);
  }
  return {
    values: document.toJS({ maxAliasCount: 0 }),
    applyChanges: (changes) => rewriteFields(lines, fields, changes).join('\n'),
  };
}

function formatFault({ line, path, message }: Fault): string {
  return `line ${line}: ${sentence({ field: path ? fieldName(path) : '', message })}`;
}

function rewriteFields(
  lines: readonly string[],
  fields: ReadonlyMap<string, number>,
  changes: readonly FieldChange[],
): string[] {
  const starts = [...fields.values(), lines.length];
  // Comments and empty lines after a field belong to the next field.
  const findEnd = (start: number): number => {
    let end = starts.find((other) => other > start) ?? lines.length;
    while (end > start + 1 && /^(?:#.*|\s*|---|\.\.\.)$/.test(lines[end - 1]?.trimEnd() ?? '')) end--;
    return end;
  };
  const findLine = (field: FileField): number => {
    const before = FILE_FIELDS.slice(0, FILE_FIELDS.indexOf(field));
    const last = Math.max(-1, ...before.map((name) => fields.get(name) ?? -1));
    return last === -1 ? (starts[0] ?? 0) : findEnd(last);
  };
  const eol = lines[0]?.endsWith('\r') ? '\r' : '';
  const removed = new Set<number>();
  const added = new Map<number, string[]>();
  for (const { field, lines: wanted } of changes) {
    const start = fields.get(field);
    const comments = lines.flatMap((line, at) => (COMMENT.exec(line)?.[1] === field ? [at] : []));
    const at = start ?? comments[0] ?? findLine(field);
    for (const line of comments) removed.add(line);
    for (let line = start ?? at; start !== undefined && line < findEnd(start); line++) removed.add(line);
    added.set(at, [...(added.get(at) ?? []), ...wanted.map((line) => line + eol)]);
  }
  return [...lines, undefined].flatMap((line, at) => [
    ...(added.get(at) ?? []),
    ...(line === undefined || removed.has(at) ? [] : [line]),
  ]);
}
