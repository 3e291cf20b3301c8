import type { JobInput } from '../../contract/job.ts';

/** What an import can give; the bid and the budgets are never in a source. */
export type ImportedField = Exclude<keyof JobInput, 'bidPerQualifiedApplicantCents' | 'budgets' | 'publish'>;

export interface ImportedValue<F extends ImportedField = ImportedField> {
  readonly value: NonNullable<JobInput[F]> | (F extends 'locations' ? readonly string[] : never);
  /** `taken` is the source's own field; `guessed` is read out of another, and a person should look at it. */
  readonly sure: 'taken' | 'guessed';
  /** `categories.commitment: "Full-time"`: what it was read from, for a comment. */
  readonly from: string;
  readonly note?: string;
}

/** What a person must know or decide: a field without a value, or something of the source that was left out. */
export interface ImportNote {
  readonly field: keyof JobInput;
  readonly kind: 'missing' | 'left-out';
  /** A sentence without a full stop: `pay in EUR is not converted: 60,000 to 70,000 a year`. */
  readonly text: string;
  /** The source's fields don't specify it, so a label in the description is used. */
  readonly isUnsaid?: boolean;
}

/** A posting as a listing, as far as its source says it. Pure values: the same posting gives the same listing. */
export interface ImportedPosting {
  readonly id: string;
  readonly values: { readonly [F in ImportedField]?: ImportedValue<F> };
  readonly notes: readonly ImportNote[];
}
