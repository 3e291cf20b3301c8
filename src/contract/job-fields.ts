import rows from './job-fields.json' with { type: 'json' };
import { CHOICES } from './values.ts';

type Rows = typeof rows;

export type FieldName = keyof Rows;

type NamesIn<Part extends string> = {
  [Field in FieldName]: Rows[Field] extends Readonly<Record<Part, infer Named>> ? keyof Named : never;
}[FieldName];

type ListFlag = 'location' | 'required' | 'desired' | 'budget';

export type FieldFlags = {
  readonly [Flag in Exclude<NamesIn<'flags'>, 'publish'>]: Flag extends ListFlag ? string[] : string;
};
export type ColumnName = NamesIn<'columns'>;
export type QuestionName = NamesIn<'questions'>;

export type FieldKind = 'text' | 'block' | 'choice' | 'dollars' | 'cents' | 'yesOrNo' | ListName;
type ListName = 'locations' | 'qualifications' | 'questions' | 'budgets';
export type ValueKind = FieldKind | EntryKind | 'id' | 'order' | 'options';
type EntryKind = 'location' | 'qualification' | 'question' | 'budget';

export interface ValueForm {
  readonly kind: ValueKind;
  readonly example?: string;
  /** Names in other systems, separated by spaces. Each one is in lower case without `_` and `-`. */
  readonly synonyms?: string;
  readonly entry?: ValueForm;
  readonly parts?: Readonly<Record<string, ValueForm>>;
  readonly identity?: string;
  readonly isOptional?: boolean;
}

export interface FieldQuestion {
  readonly words: string;
  readonly why: string;
  readonly isNeeded?: boolean;
  readonly flag?: string;
}

interface JobField extends ValueForm {
  readonly kind: FieldKind;
  readonly flags?: Readonly<Record<string, { readonly value?: string; readonly help?: string }>>;
  readonly columns?: Readonly<
    Record<string, { readonly header: string; readonly example: string; readonly names?: string }>
  >;
  readonly questions?: Readonly<Record<string, FieldQuestion>>;
}

/**
 * Everything about fields except their schemas: the source of flags, columns, questions and hints. Rows have the order
 * of flags in help. `salary` is another system's name for three fields, and `key` and `department` aren't sent.
 */
export const JOB_FIELDS = rows as Readonly<Record<FieldName, JobField>>;

export function getChoices(name: string): readonly string[] {
  return Object.hasOwn(CHOICES, name) ? CHOICES[name as keyof typeof CHOICES] : [];
}

export function indexFieldParts<Part extends 'flags' | 'columns' | 'questions'>(part: Part) {
  type Named = NonNullable<JobField[Part]>[string] & { readonly field: FieldName; readonly kind: FieldKind };
  const entries = (Object.keys(JOB_FIELDS) as FieldName[]).flatMap((field) => {
    const { kind, [part]: parts = {} } = JOB_FIELDS[field];
    return Object.entries(parts).map(([name, own]) => [name, { ...own, field, kind }] as const);
  });
  return Object.fromEntries(entries) as Readonly<Record<NamesIn<Part>, Named>>;
}
