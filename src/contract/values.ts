/** Limits from decision 15. The specification only has a minimum for budgets (section 8, rule 7). */
export const LIMITS = {
  bodyBytes: 1024 * 1024,
  titleCharacters: 500,
  descriptionCharacters: 100_000,
  textCharacters: 2_000,
  arrayEntries: 50,
  questionOptions: 200,
  placeQueryCharacters: 200,
  placeQueryWords: 10,
};

export type Limits = Readonly<typeof LIMITS>;

export const NO_LIMITS = Object.fromEntries(
  Object.keys(LIMITS).map((name) => [name, Number.POSITIVE_INFINITY]),
) as Limits;

export const DAY_MS = 24 * 60 * 60 * 1000;

/** Duration of a listing after publication (section 8, rule 1). */
export const LISTING_DAYS = 30;
export const LISTING_MS = LISTING_DAYS * DAY_MS;

/** How long the response to an `Idempotency-Key` is replayed (decision 27). */
export const IDEMPOTENCY_MS = 24 * 60 * 60 * 1000;

/** Limits a document, because it's read into memory. Fits about ten thousand listings. */
export const DOCUMENT_BYTES_MAX = 32 * 1024 * 1024;

export const LIST_LIMIT_DEFAULT = 50;
export const LIST_LIMIT_MAX = 100;
export const PLACE_LIMIT_DEFAULT = 10;
export const PLACE_LIMIT_MAX = 50;

export const SELECT_FORMATS = ['SINGLE_SELECT', 'MULTI_SELECT'] as const;

/** Values of section 3, in the specification's order. */
export const JOB_STATUSES = ['DRAFT', 'ACTIVE', 'PAUSED', 'CLOSED', 'EXPIRED'] as const;

/** Values of the fields in section 2, in the specification's order. */
export const CHOICES = {
  remoteOption: ['REMOTE', 'HYBRID', 'IN_PERSON'],
  jobType: ['FULL_TIME', 'PART_TIME', 'CONTRACT', 'INTERNSHIP'],
  jobLevel: ['ENTRY', 'MID', 'SENIOR'],
  salaryPeriod: ['ANNUAL', 'HOURLY'],
  kind: ['REQUIRED', 'DESIRED'],
  answerFormat: ['TEXT', 'TEXTAREA', ...SELECT_FORMATS, 'NUMBER', 'FILE', 'DATE', 'SINGLE_CHECKBOX'],
  window: ['DAILY', 'WEEKLY', 'MONTHLY', 'LIFETIME'],
} as const;

export const {
  remoteOption: REMOTE_OPTIONS,
  jobType: JOB_TYPES,
  jobLevel: JOB_LEVELS,
  salaryPeriod: SALARY_PERIODS,
  kind: QUALIFICATION_KINDS,
  answerFormat: ANSWER_FORMATS,
  window: BUDGET_WINDOWS,
} = CHOICES;

export const APPLICATION_STATUSES = ['pending', 'accepted', 'rejected'] as const;

export type JobStatus = (typeof JOB_STATUSES)[number];
export type RemoteOption = (typeof REMOTE_OPTIONS)[number];
export type JobType = (typeof JOB_TYPES)[number];
export type JobLevel = (typeof JOB_LEVELS)[number];
export type SalaryPeriod = (typeof SALARY_PERIODS)[number];
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];
export type ApplicationStatus = (typeof APPLICATION_STATUSES)[number];
export type BudgetWindow = (typeof BUDGET_WINDOWS)[number];

export function takesOptions(format: AnswerFormat): boolean {
  return (SELECT_FORMATS as readonly AnswerFormat[]).includes(format);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isEmpty(value: unknown): boolean {
  return (value ?? '') === '' || (Array.isArray(value) && value.length === 0);
}

/** Returns these fields in the order of `names`. Omits undefined values. */
export function pickFields<T extends object, Name extends keyof T>(object: T, names: readonly Name[]) {
  const given = names.filter((name) => object[name] !== undefined);
  const fields = Object.fromEntries(given.map((name) => [name, object[name]]));
  return fields as { [N in Name]?: Exclude<T[N], undefined> };
}

/** Omits undefined values, like `JSON.stringify`. */
export function withoutUndefined<T extends object>(object: { [Name in keyof T]: T[Name] | undefined }): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

/** Sets a field named `__proto__` like any other, as `JSON.parse` does. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
