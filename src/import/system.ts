import { PartnerError } from '../contract/errors.ts';
import { isObject } from '../contract/values.ts';
import type { SourceField, SourceFields, SourcePosting, SourceValue } from './source-posting.ts';
import { getList, getText, getTexts, getValue, richText } from './systems/values.ts';
import type { XmlDocument } from './xml.ts';

export interface SourceDocument {
  readonly name: string;
  readonly text: string;
  readonly json?: unknown;
  readonly xml?: XmlDocument;
  readonly warnings?: readonly string[];
}

export interface Row<F extends SourceField> {
  readonly from: string;
  /** False if the field only has a similar meaning, such as a location's text for the work mode. */
  readonly isOwnField: boolean;
  /** Undefined if the posting doesn't set the field, or sets it in an unknown form. Never throws. */
  read?(posting: unknown): SourceFields[F] | undefined;
}

export interface System {
  readonly title: string;
  recognises(document: SourceDocument): boolean;
  postings(document: SourceDocument): Iterable<unknown>;
  /** Number of postings in the source, if the document includes it. */
  total?(document: SourceDocument): number | undefined;
  isListed?(posting: unknown): boolean;
  id(posting: unknown): string | undefined;
  /** The rows of each field, best first. Without `read`, `from` is the path of one or more texts in the posting. */
  readonly table: { readonly [F in SourceField]?: Row<F> | string | readonly (Row<F> | string)[] };
  /** Public URL of a company's postings, for `greenhouse:TOKEN`. The token is already encoded. */
  boardUrl?(token: string): string;
  questionsUrl?(token: string, id: string): string;
}

export function own<F extends SourceField>(from: string, read: NonNullable<Row<F>['read']>): Row<F> {
  return { from, isOwnField: true, read };
}

export function near<F extends SourceField>(from: string, read?: Row<F>['read']): Row<F> {
  return { from, isOwnField: false, ...(read && { read }) };
}

/** A field with a list of entries. `read` gets each entry and its posting. */
export function readEach<T>(from: string, read: (entry: unknown, posting: unknown) => readonly T[]) {
  const readAll = (posting: unknown) => getList(posting, from).flatMap((entry) => read(entry, posting));
  return { from, isOwnField: true, read: readAll };
}

/** Some systems also set this flag for hybrid jobs, so it counts only if no other field sets the work mode. */
export function remoteFlag(name: string, word = 'remote'): Row<'workplace'> {
  const isSet = (posting: unknown) => getValue(posting, name) === true || getText(posting, name) === 'true';
  return near(name, (posting) => (isSet(posting) ? word : undefined));
}

const LISTS: readonly string[] = ['remoteCountries', 'places', 'jobType'] satisfies SourceField[];

function readPath(field: string, path: string, posting: unknown) {
  const all = getTexts(posting, path);
  const texts = LISTS.includes(field) ? all : all.slice(0, 1);
  if (field === 'description') return richText(texts[0]);
  if (field === 'places' || field === 'salaries') return texts.map((text) => ({ text }));
  return LISTS.includes(field) ? texts : texts[0];
}

export function listRows({ table }: System): [field: string, Row<SourceField>[]][] {
  return Object.entries(table).map(([field, given]) => {
    const rows: readonly (string | Row<SourceField>)[] = [given].flat();
    return [field, rows.map((row) => (typeof row === 'string' ? { from: row, isOwnField: true } : row))];
  });
}

/** Reads a posting with its system's table. If it has no ID, creates one from title and first place. Never throws. */
function sourcePosting(system: System, posting: unknown, number: number): SourcePosting {
  const read: Record<string, unknown> = {};
  const ids: SourceValue<string>[] = [];
  for (const [field, rows] of listRows(system)) {
    for (const { from, isOwnField, read: valueIn } of rows) {
      const value = valueIn === undefined ? readPath(field, from, posting) : valueIn(posting);
      const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
      if (isEmpty) continue;
      read[field] ??= { value, from, isOwnField };
      if (field !== 'opportunityId') break;
      ids.push({ value: String(value), from, isOwnField });
    }
  }
  const fields: SourcePosting['fields'] = read;
  const { text, city, country } = fields.places?.value[0] ?? {};
  const names = [fields.title?.value, text ?? city, country].filter(Boolean).join(', ');
  const id = (system.id(posting) || names || `posting ${number}`).slice(0, ID_CHARACTERS_MAX);
  return { id, fields, ids };
}

const ID_CHARACTERS_MAX = 1_000;

const POSTINGS_MAX = 50_000;

/** Throws FILE_INVALID if there are too many postings. */
export function readPostings(system: System, document: SourceDocument) {
  const postings: SourcePosting[] = [];
  let unlistedCount = 0;
  // Reads postings one by one, because a feed can have a hundred thousand.
  for (const posting of system.postings(document)) {
    if (!isObject(posting)) continue;
    if (system.isListed?.(posting) === false) unlistedCount++;
    else postings.push(sourcePosting(system, posting, postings.length + 1));
    assertFewPostings(postings.length + unlistedCount, document.name);
  }
  const [read, total = 0] = [postings.length + unlistedCount, system.total?.(document)];
  const warnings = [...(document.warnings ?? [])];
  if (read < total) warnings.push(`${document.name} contains only ${read} of ${total} postings`);
  return { postings, unlistedCount, warnings };
}

export function assertFewPostings(count: number, source: string): void {
  if (count <= POSTINGS_MAX) return;
  const message = `${source}: an import can have at most ${POSTINGS_MAX.toLocaleString('en')} postings`;
  const hint = 'import them in parts, each into a separate directory';
  throw new PartnerError('FILE_INVALID', { message, hint });
}
