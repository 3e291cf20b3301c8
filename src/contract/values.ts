/** Every closed set of values in section 2 and 3 of the specification, in its own order. */
export const JOB_STATUSES = ['DRAFT', 'ACTIVE', 'PAUSED', 'CLOSED', 'EXPIRED'] as const;
export const REMOTE_OPTIONS = ['REMOTE', 'HYBRID', 'IN_PERSON'] as const;
export const JOB_TYPES = ['FULL_TIME', 'PART_TIME', 'CONTRACT', 'INTERNSHIP'] as const;
export const JOB_LEVELS = ['ENTRY', 'MID', 'SENIOR'] as const;
export const SALARY_PERIODS = ['ANNUAL', 'HOURLY'] as const;
export const QUALIFICATION_KINDS = ['REQUIRED', 'DESIRED'] as const;
export const ANSWER_FORMATS = [
  'TEXT',
  'TEXTAREA',
  'SINGLE_SELECT',
  'MULTI_SELECT',
  'NUMBER',
  'FILE',
  'DATE',
  'SINGLE_CHECKBOX',
] as const;
export const SELECT_FORMATS = ['SINGLE_SELECT', 'MULTI_SELECT'] as const;
/** The three that `applicationCounts` counts (2.1). */
export const APPLICATION_STATUSES = ['pending', 'accepted', 'rejected'] as const;
export const BUDGET_WINDOWS = ['DAILY', 'WEEKLY', 'MONTHLY', 'LIFETIME'] as const;

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
