import { PartnerError } from '../../contract/errors.ts';
import { isObject } from '../../contract/values.ts';
import type { SourceField, SourceFields, SourcePosting, SourceValue } from './source-posting.ts';
import { richText, textAt, textsAt, valueAt } from './systems/values.ts';
import type { XmlDocument } from './xml.ts';

export interface SourceDocument {
  readonly name: string;
  readonly text: string;
  /** Parsed, where it is JSON; of an HTML page, a list of its JSON-LD. */
  readonly json?: unknown;
  readonly xml?: XmlDocument;
  readonly warnings?: readonly string[];
}

export interface Row<F extends SourceField> {
  readonly from: string;
  /** False where the field means something near only: a location's text for the work place. */
  readonly isOwnField: boolean;
  /** Undefined where the posting does not say it, or says it in a form that nobody knows. Never throws. */
  read(posting: unknown): SourceFields[F] | undefined;
}

/** An applicant-tracking system or a feed: how its documents are known, and one table of its fields. */
export interface System {
  readonly title: string;
  recognises(document: SourceDocument): boolean;
  /** Every posting of a document; the same object may hold several. */
  postings(document: SourceDocument): Iterable<unknown>;
  /** False for one that is a draft, or that its company shows nobody; left out, a document has listed ones only. */
  isListed?(posting: unknown): boolean;
  id(posting: unknown): string | undefined;
  /** Of several rows of a field the first that reads something counts. */
  readonly table: { readonly [F in SourceField]?: Row<F> | readonly Row<F>[] };
  /** The public, read-only address of a company's postings, for `greenhouse:TOKEN`; the token is encoded. */
  boardUrl?(token: string): string;
  /** The address of one posting with its questions, where a board's list has none. */
  questionsUrl?(token: string, id: string): string;
}

type FieldsOf<T> = { [F in SourceField]: SourceFields[F] extends T ? F : never }[SourceField];

export function own<F extends SourceField>(from: string, read: Row<F>['read']): Row<F> {
  return { from, isOwnField: true, read };
}

/** Rows of a field with one string, by path in the posting. The first of several strings is used. */
export function ownText<F extends FieldsOf<string>>(...paths: readonly string[]): Row<F>[] {
  return paths.map((from) => own(from, (posting) => textsAt(posting, ...from.split('.'))[0]));
}

/** Rows of a field with one or more strings, by path in the posting. */
export function ownTexts<F extends FieldsOf<readonly string[]>>(...paths: readonly string[]): Row<F>[] {
  return paths.map((from) => own(from, (posting) => textsAt(posting, ...from.split('.'))));
}

export function ownRichText(...names: readonly string[]): Row<'description'>[] {
  return names.map((name) => own(name, (posting) => richText(textAt(posting, name))));
}

/** A flag that is true of hybrid jobs too, so it counts only if nothing better does. */
export function remoteFlag(name: string, word = 'remote'): Row<'workplace'> {
  const isSet = (posting: unknown) => valueAt(posting, name) === true || textAt(posting, name) === 'true';
  return near(name, (posting) => (isSet(posting) ? word : undefined));
}

/** A row whose field means something near: what is read from it is a guess. */
export function near<F extends SourceField>(from: string, read: Row<F>['read']): Row<F> {
  return { from, isOwnField: false, read };
}

/** A posting by its system's table; one without an id goes by its title and first place. Never throws. */
function sourcePosting(system: System, posting: unknown, number: number): SourcePosting {
  const read: Record<string, unknown> = {};
  const ids: SourceValue<string>[] = [];
  for (const [field, rows] of Object.entries(system.table)) {
    for (const { from, isOwnField, read: valueIn } of [rows].flat()) {
      const value = valueIn(posting);
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

export interface DocumentPostings {
  readonly postings: readonly SourcePosting[];
  /** Drafts and postings that their company shows nobody: left out. */
  readonly unlistedCount: number;
}

/** A text may be as long as its document, and the ID is written in many places. */
const ID_CHARACTERS_MAX = 1_000;

/** Each becomes a file. */
const POSTINGS_MAX = 50_000;

/** Throws FILE_INVALID for more postings than an import takes. */
export function readPostings(system: System, document: SourceDocument): DocumentPostings {
  const postings: SourcePosting[] = [];
  let unlistedCount = 0;
  // One after the other: a feed of a hundred thousand is read as it is walked.
  for (const posting of system.postings(document)) {
    if (!isObject(posting)) continue;
    if (system.isListed?.(posting) === false) unlistedCount++;
    else postings.push(sourcePosting(system, posting, postings.length + 1));
    assertFewPostings(postings.length + unlistedCount, document.name);
  }
  return { postings, unlistedCount };
}

export function assertFewPostings(count: number, source: string): void {
  if (count <= POSTINGS_MAX) return;
  const message = `${source}: an import takes at most ${POSTINGS_MAX.toLocaleString('en')} postings`;
  const hint = 'import them in parts, each into its own directory';
  throw new PartnerError('FILE_INVALID', { message, hint });
}
