import type { FieldPath } from '../../contract/problems.ts';
import type { Fault, Finding, SourcePosition } from '../check/finding.ts';

export interface ListingDocument {
  readonly value: unknown;
  /** Content that would be lost without an error: duplicate names, digits of numbers, unpaired surrogates. */
  readonly flaws: readonly Fault[];
  readonly flawsOmitted?: number | undefined;
  /** Returns the position of a value or its name. For a missing path, returns the nearest value around it. */
  locate(path: FieldPath, part?: 'value' | 'name'): SourcePosition;
  readonly advice?: (path: FieldPath) => string;
  /** Part of a file with several listings, such as `row 8`. */
  readonly unit?: string | undefined;
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
