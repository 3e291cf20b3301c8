import { hash } from 'node:crypto';
import { CONTENT_FIELDS } from '../../contract/job.ts';
import { isObject } from '../../contract/values.ts';
import type { ImportedField } from './imported-posting.ts';

export type FieldDigests = { readonly [F in ImportedField]?: string };

const NEVER_IMPORTED: readonly string[] = ['bidPerQualifiedApplicantCents', 'budgets'];

/** What an import can set, in the contract's order. */
export const IMPORTED_FIELDS = CONTENT_FIELDS.filter(
  (field): field is ImportedField => !NEVER_IMPORTED.includes(field),
);

/** The digest of a base that is not known: it is like no value, so that nothing is overwritten. */
const UNKNOWN = '?';

interface Sides {
  /** What the source said when the file was last in step with it; undefined where nobody remembers. */
  readonly base: FieldDigests | undefined;
  readonly file: FieldDigests;
  readonly source: FieldDigests;
}

/** Brings what a source has changed into a file that people edit, field by field; lists count as one value. */
export function mergeListing({ base, file, source }: Sides, keepsEdits = false) {
  const merge = {
    /** To be taken from the source, which has changed them while nobody edited them. */
    changed: [] as ImportedField[],
    edited: [] as ImportedField[],
    /** Changed on both sides, each in its own way. */
    conflicts: [] as ImportedField[],
  };
  const next: Partial<Record<ImportedField, string>> = {};
  for (const field of IMPORTED_FIELDS) {
    const before = base === undefined ? UNKNOWN : base[field];
    const [isInFile, isInSource] = [file[field] !== before, source[field] !== before];
    const isOpen = isInFile && isInSource && file[field] !== source[field] && !keepsEdits;
    if (isOpen) merge.conflicts.push(field);
    else if (file[field] !== source[field]) merge[isInFile ? 'edited' : 'changed'].push(field);
    const digest = isOpen ? before : source[field];
    if (digest !== undefined) next[field] = digest;
  }
  return { ...merge, base: next };
}

/** The digests of a listing's imported fields; `placeOf` gives what a text in `locations` means, as an id. */
export function fieldDigests(
  listing: Readonly<Record<string, unknown>>,
  placeOf: (text: string) => number | undefined,
): FieldDigests {
  const digests: Partial<Record<ImportedField, string>> = {};
  for (const field of IMPORTED_FIELDS) {
    const value = field === 'locations' ? placesIn(listing[field], placeOf) : listing[field];
    const content = contentOf(value);
    // 72 bits: two values that differ have the same digest once in 10^21.
    if (content !== undefined)
      digests[field] = hash('sha256', JSON.stringify(content), 'base64url').slice(0, 12);
  }
  return digests;
}

/** A place is the same whether it is written as a text, as an id or in full. */
function placesIn(value: unknown, placeOf: (text: string) => number | undefined): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((entry) => {
    if (typeof entry === 'string') return placeOf(entry) ?? entry;
    return isObject(entry) ? (entry.locationId ?? entry) : entry;
  });
}

/** Without what makes no difference: the order of keys, ends of lines, and which of the empty values it is. */
function contentOf(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') return value.replaceAll('\r\n', '\n').trim() || undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(contentOf);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, contentOf(inner)] as const);
  const given = entries.filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(given.sort(([one], [other]) => (one < other ? -1 : 1)));
}
