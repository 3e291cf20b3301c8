import type { SourceField, SourceFields, SourcePosting } from './source-posting.ts';
import type { XmlDocument } from './xml.ts';

/** A document of a source: a file, or the answer of an address. */
export interface SourceDocument {
  /** As it is shown: a file's name or an address. */
  readonly name: string;
  readonly text: string;
  /** Parsed, where it is JSON; of an HTML page, a list of its JSON-LD. */
  readonly json?: unknown;
  /** Where it is XML; `withMarkup` sets it. */
  readonly xml?: XmlDocument;
  /** Sentences on what of it could not be read. */
  readonly warnings?: readonly string[];
}

/** What a system calls a field, and how it is read from a posting of its own. */
export interface Row<F extends SourceField> {
  /** In the system's words: `categories.commitment`. */
  readonly from: string;
  /** False where the field means something near only: a location's text for the work place. */
  readonly isOwnField: boolean;
  /** Undefined where the posting does not say it, or says it in a form that nobody knows. Never throws. */
  read(posting: unknown): SourceFields[F] | undefined;
}

export type SystemTable = { readonly [F in SourceField]?: Row<F> };

/** An applicant-tracking system or a feed: how its documents are known, and one table of its fields. */
export interface System {
  /** `Greenhouse`. */
  readonly title: string;
  /** Whether a document is one of its own, by its form and not by its name. */
  recognises(document: SourceDocument): boolean;
  /** Every posting of a document; the same object may hold several. */
  postings(document: SourceDocument): Iterable<unknown>;
  /** False for one that is a draft, or that its company shows nobody; left out, a document has listed ones only. */
  isListed?(posting: unknown): boolean;
  /** The posting's own id at the system; undefined where it has none. */
  id(posting: unknown): string | undefined;
  readonly table: SystemTable;
  /** The public, read-only address of a company's postings, for `greenhouse:TOKEN`. */
  boardUrl?(token: string): string;
  /** The company's token in the address of its board as people see it; undefined for any other address. */
  boardToken?(address: URL): string | undefined;
}

/** A posting by its system's table. Never throws, whatever the posting holds. */
export function sourcePosting(system: System, posting: unknown, fallbackId: string): SourcePosting {
  const fields: Record<string, unknown> = {};
  for (const [field, row] of Object.entries(system.table)) {
    const value = row.read(posting);
    const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    if (!isEmpty) fields[field] = { value, from: row.from, isOwnField: row.isOwnField };
  }
  return { id: system.id(posting) ?? fallbackId, fields };
}
