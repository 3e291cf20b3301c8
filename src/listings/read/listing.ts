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
}

export type DocumentReading =
  | { readonly ok: true; readonly document: ListingDocument }
  | {
      readonly ok: false;
      readonly fault: Fault;
      readonly others?: readonly Fault[];
    };

export interface Listing extends ListingDocument {
  readonly file: string;
  readonly index: number;
  readonly key?: string | undefined;
  /** The `_defaults.yaml` that sets a field or replaces its places, by field. */
  readonly origins?: Readonly<Record<string, string>> | undefined;
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
