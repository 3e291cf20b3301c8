import { CONTENT_FIELDS, type JobInput } from '../contract/job.ts';

/** Fields of an imported file. `department` isn't sent. */
export const FILE_FIELDS = ['department', ...CONTENT_FIELDS] as const;

export const IMPORTED_FIELDS = FILE_FIELDS.filter(
  (field) => field !== 'bidPerQualifiedApplicantCents' && field !== 'budgets',
);

export type ImportedField = (typeof IMPORTED_FIELDS)[number];

export interface ImportedValue<F extends ImportedField = ImportedField> {
  readonly value:
    | NonNullable<(JobInput & { department?: string })[F]>
    | (F extends 'locations' ? readonly string[] : never);
  /** `taken` from a field with this meaning, or `guessed` from another one, which the user should check. */
  readonly sure: 'taken' | 'guessed';
  readonly from: string;
  readonly note?: string;
}

export interface ImportNote {
  readonly field: ImportedField | keyof JobInput;
  readonly kind: 'missing' | 'left-out';
  readonly text: string;
  /** True if no field of the source sets this value. A label in the description can set it instead. */
  readonly isUnset?: boolean;
}

export interface ImportedPosting {
  readonly id: string;
  readonly values: { readonly [F in ImportedField]?: ImportedValue<F> };
  readonly notes: readonly ImportNote[];
  /** Values from a `_defaults.yaml`, which the file doesn't need. */
  readonly given?: Readonly<Record<string, unknown>>;
}
