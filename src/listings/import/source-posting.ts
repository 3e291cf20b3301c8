export interface SourceValue<T> {
  readonly value: T;
  /** In the source's own words: `categories.commitment`, `<salary>`. */
  readonly from: string;
  /** Whether the source's field means just this; otherwise it is read out of something else. */
  readonly isOwnField: boolean;
  /** Why the source's first value isn't used (`requisition_id: "TBD" is a placeholder`). */
  readonly note?: string;
}

export interface SourcePlace {
  readonly text?: string;
  readonly city?: string;
  readonly region?: string;
  /** A name or an ISO code. */
  readonly country?: string;
  /** The company hides this place, so its other data is ignored. */
  readonly isHidden?: boolean;
}

/** A pay that a source has in fields; a text is read for amounts. */
export interface SourceSalary {
  readonly min?: number;
  readonly max?: number;
  readonly currency?: string;
  /** In the source's words: `1 YEAR`, `per-hour-wage`, `month`. */
  readonly period?: string;
  readonly text?: string;
  readonly label?: string;
  /** The company hides this pay, so its other data is ignored. */
  readonly isHidden?: boolean;
}

export interface SourceText {
  readonly heading?: string;
  /** HTML, also where it is escaped once more; a plain text has its line breaks. */
  readonly text: string;
  readonly isHtml: boolean;
  /** The source's requirements field. Every list item in it is a requirement, under any heading. */
  readonly isRequirements?: boolean;
}

export interface SourceQuestion {
  readonly prompt: string;
  /** The source's own word: `multi_value_single_select`, `boolean`. */
  readonly type: string;
  readonly options: readonly string[];
  readonly isReserved: boolean;
}

/** What a posting can say, each in its source's words and not read yet. */
export interface SourceFields {
  readonly title: string;
  readonly description: readonly SourceText[];
  readonly workplace: string;
  readonly remoteCountries: readonly string[];
  readonly places: readonly SourcePlace[];
  /** `FullTime`, `CDI`, `fixed_term`; several where the source has several. */
  readonly jobType: readonly string[];
  /** The system's own field of seniority, not the title. */
  readonly jobLevel: string;
  readonly salaries: readonly SourceSalary[];
  readonly qualifications: readonly string[];
  readonly questions: readonly SourceQuestion[];
  readonly opportunityId: string;
  readonly atsJobUrl: string;
}

export type SourceField = keyof SourceFields;

/** A posting as its system gives it. The same id twice is one posting in several places. */
export interface SourcePosting {
  readonly id: string;
  readonly fields: { readonly [F in SourceField]?: SourceValue<SourceFields[F]> };
  /** All the IDs in the source, best first. An ID that doesn't identify an opening is skipped. */
  readonly ids?: readonly SourceValue<string>[];
}
