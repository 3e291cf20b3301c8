import { CONTENT_FIELDS, type JobInput } from '../contract/job.ts';

export interface SourceValue<T> {
  readonly value: T;
  /** The source's field, such as `categories.commitment` or `<salary>`. */
  readonly from: string;
  /** True if the source's field has exactly this meaning. Otherwise, the value is a guess. */
  readonly isOwnField: boolean;
  /** Reason why the source's first value isn't used (`requisition_id: "TBD" is a placeholder`). */
  readonly note?: string;
}

export interface SourcePlace {
  readonly text?: string;
  readonly city?: string;
  readonly region?: string;
  readonly country?: string;
  readonly isHidden?: boolean;
}

export interface SourceSalary {
  readonly min?: number;
  readonly max?: number;
  readonly currency?: string;
  readonly period?: string;
  readonly text?: string;
  readonly label?: string;
  readonly isHidden?: boolean;
}

export interface SourceText {
  readonly heading?: string;
  readonly text: string;
  readonly isHtml: boolean;
  readonly isRequirements?: boolean;
}

export interface SourceQuestion {
  readonly prompt: string;
  readonly type: string;
  readonly options: readonly string[];
  readonly isReserved: boolean;
}

export interface SourceFields {
  readonly title: string;
  readonly description: readonly SourceText[];
  readonly department: string;
  readonly workplace: string;
  readonly remoteCountries: readonly string[];
  readonly places: readonly SourcePlace[];
  readonly jobType: readonly string[];
  readonly jobLevel: string;
  readonly salaries: readonly SourceSalary[];
  readonly qualifications: readonly string[];
  readonly questions: readonly SourceQuestion[];
  readonly opportunityId: string;
  readonly atsJobUrl: string;
}

export type SourceField = keyof SourceFields;

/** A posting from a system. A system can return one job in several places as several postings. */
export interface SourcePosting {
  readonly id: string;
  readonly fields: { readonly [F in SourceField]?: SourceValue<SourceFields[F]> };
  /** All IDs in the source, best first. An ID that doesn't identify an opening is skipped. */
  readonly ids?: readonly SourceValue<string>[];
}

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

interface ImportNote {
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
