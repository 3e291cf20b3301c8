import type { FieldPath } from '../../contract/problems.ts';
import type { Fault, Finding, SourcePosition } from '../check/finding.ts';

/** A value that a file holds for a listing, and where its parts are. */
export interface ListingDocument {
  readonly value: unknown;
  /** What would be lost silently: repeated names, digits, halves of characters. */
  readonly flaws: readonly Fault[];
  readonly flawsOmitted: number;
  /** Where the value of a path is, or its name; for a path that is not there, the nearest value around it. */
  locate(path: FieldPath, part?: 'value' | 'name'): SourcePosition;
  /** What to fill in for a field that a live listing lacks, where it is not written as JSON. */
  readonly advice?: (path: FieldPath) => string;
}

export type DocumentReading =
  | { readonly ok: true; readonly document: ListingDocument }
  | {
      readonly ok: false;
      readonly fault: Fault;
      /** Those behind it, where the format is read on. */
      readonly others?: readonly Fault[];
    };

export interface Listing extends Omit<ListingDocument, 'flawsOmitted'> {
  /** As the caller named it; `stdin` for `-`. */
  readonly file: string;
  /** From 0, in its file. */
  readonly index: number;
  readonly flawsOmitted?: number;
  /** The name set in the listing itself, unique in its file. */
  readonly key?: string | undefined;
  /** By field, the `_defaults.yaml` that gives it, or says what its places mean. */
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
      /** Those behind it in the same listing. */
      readonly others?: readonly Finding[];
      /** The listing that it keeps from being read, where the finding is in another file. */
      readonly keepsOut?: Pick<Listing, 'file' | 'index'>;
    };
