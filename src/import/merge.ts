import { hash } from 'node:crypto';
import { isObject } from '../contract/values.ts';
import { IMPORTED_FIELDS, type ImportedField } from './source-posting.ts';

export type FieldDigests = { readonly [F in ImportedField]?: string };

/** Digest for an unknown base. It matches no value, so that nothing is overwritten. */
const UNKNOWN = '?';

interface Sides {
  /** Source values when the file last matched them. Undefined if they weren't recorded. */
  readonly base: FieldDigests | undefined;
  readonly file: FieldDigests;
  readonly source: FieldDigests;
}

/** `keepsEdits` lists the fields whose edits aren't conflicts. True means all fields. */
export function mergeListing({ base, file, source }: Sides, keepsEdits: boolean | Set<string> = false) {
  const changed: ImportedField[] = [];
  const edited: ImportedField[] = [];
  const conflicts: ImportedField[] = [];
  const next: Partial<Record<ImportedField, string>> = {};
  for (const field of IMPORTED_FIELDS) {
    const isKept = typeof keepsEdits === 'boolean' ? keepsEdits : keepsEdits.has(field);
    const before = base === undefined ? UNKNOWN : base[field];
    const [isInFile, isInSource] = [file[field] !== before, source[field] !== before];
    const isOpen = isInFile && isInSource && file[field] !== source[field] && !isKept;
    if (isOpen) conflicts.push(field);
    else if (file[field] !== source[field]) (isInFile ? edited : changed).push(field);
    const digest = isOpen ? before : source[field];
    if (digest !== undefined) next[field] = digest;
  }
  return { changed, edited, conflicts, base: next };
}

export function digestFields(
  listing: Readonly<Record<string, unknown>>,
  placeOf: (text: string) => number | undefined,
): FieldDigests {
  const digests: Partial<Record<ImportedField, string>> = {};
  for (const field of IMPORTED_FIELDS) {
    const value = field === 'locations' ? resolvePlaces(listing[field], placeOf) : listing[field];
    const content = normaliseContent(value);
    // With 72 bits, the chance that two different values share a digest is about 1 in 10^21.
    if (content !== undefined)
      digests[field] = hash('sha256', JSON.stringify(content), 'base64url').slice(0, 12);
  }
  return digests;
}

function resolvePlaces(value: unknown, placeOf: (text: string) => number | undefined): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((entry) => {
    if (typeof entry === 'string') return placeOf(entry) ?? entry;
    return isObject(entry) ? (entry.locationId ?? entry) : entry;
  });
}

/** Removes differences that don't matter: key order, line breaks, and kinds of empty values. */
function normaliseContent(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') return value.replaceAll('\r\n', '\n').trim() || undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(normaliseContent);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, normaliseContent(inner)] as const);
  const given = entries.filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(given.sort(([one], [other]) => (one < other ? -1 : 1)));
}
