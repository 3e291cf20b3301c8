import type { FieldPath } from '../../contract/problems.ts';
import type { Fault, Finding, SourcePosition } from '../check/finding.ts';

export interface ListingDocument {
  readonly value: unknown;
  /** Content that would be lost without an error: duplicate names, digits of numbers, unpaired surrogates. */
  readonly flaws: readonly Fault[];
  readonly flawsOmitted?: number | undefined;
  /** Returns the position of a value or its name. For a missing path, returns the nearest value around it. */
  locate(path: FieldPath, part?: 'value' | 'name'): SourcePosition;
  /** Puts a hint in the words of the format. Without a hint, returns one. */
  readonly advice?: (path: FieldPath, hint?: string) => string;
  /** Part of a file with several listings, such as `row 8`. */
  readonly unit?: string | undefined;
  /** Amounts that are US dollars only if the job is in the United States. */
  readonly unclearPay?: { readonly field: string; readonly text: string; readonly hint: string } | undefined;
}

export type DocumentReading =
  | { readonly ok: true; readonly document: ListingDocument }
  | {
      readonly ok: false;
      readonly fault: Fault;
      readonly others?: readonly Fault[];
    };

/** The `_defaults.yaml` that sets a field, with the number and value of the rule if a rule sets it. */
export interface Origin {
  readonly file: string;
  readonly rule?: number;
  readonly value?: unknown;
}

export type Origins = Readonly<Record<string, Origin>>;

export interface Listing extends ListingDocument {
  readonly file: string;
  readonly index: number;
  readonly key?: string | undefined;
  /** Part and title, such as `row 8 "Night nurse"`. Undefined for the only listing of a file. */
  readonly label?: string | undefined;
  /** For rules of a `_defaults.yaml`. It isn't sent. */
  readonly department?: string | undefined;
  /** Default country for places, from `_defaults.yaml`. */
  readonly country?: string | undefined;
  /** Origins of the fields that a `_defaults.yaml` sets, or in which it replaces place names. */
  readonly origins?: Origins | undefined;
}

export type Entry =
  | {
      readonly listing: Listing;
      readonly finding?: undefined;
      readonly others?: undefined;
      readonly keepsOut?: undefined;
    }
  | {
      readonly listing?: undefined;
      readonly finding: Finding;
      readonly others?: readonly Finding[];
      readonly keepsOut?: Pick<Listing, 'file' | 'index'>;
    };

export type MapPart = 'columns' | 'fields' | 'values';

/** What a `_defaults.yaml` says about files of other systems. */
export interface Mapping {
  /** Maps headers and field names, normalized by `toMappingKey`, to columns or `ignore`. */
  readonly columns?: ReadonlyMap<string, string>;
  readonly fields?: ReadonlyMap<string, string>;
  /** Maps cell values, normalized by `toMappingKey`, to new values or `ignore`. */
  readonly values?: ReadonlyMap<string, string>;
  /** Row with the column names. */
  readonly headerRow?: number | undefined;
  readonly sheet?: string | undefined;
  readonly currency?: string | undefined;
  /** Default country for places. */
  readonly country?: string | undefined;
}

export interface TableRow {
  readonly cells: readonly string[];
  /** Number of the row in a spreadsheet. */
  readonly row: number;
  readonly locateCell: (index: number) => SourcePosition;
}

export interface TableParts {
  readonly header: TableRow;
  readonly listings: readonly TableRow[];
}

export interface FormatOptions {
  readonly sheet?: string | undefined;
  readonly mapping?: Mapping | undefined;
  /** Receives the parts of a table before its listings are read. */
  readonly onTable?: ((parts: TableParts) => void) | undefined;
}

export type ReadFormat = (
  bytes: Uint8Array,
  options: FormatOptions,
) => Iterable<DocumentReading> | AsyncIterable<DocumentReading>;

/** Returns the form in which a `_defaults.yaml` and a table compare names. */
export function toMappingKey(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase();
}
