import type { JobInput } from '../../contract/job.ts';
import type { FieldPath } from '../../contract/problems.ts';

export interface FieldFlag {
  readonly flag: string;
  readonly takes: string;
  /** False where setting the field this way leaves its gap open. */
  readonly fillsGap?: false;
}

/** Contract field → flags (cli.md, "Job fields as flags"); a field without one comes from a file or the form. */
export const FIELD_FLAGS: Readonly<Record<keyof JobInput, readonly FieldFlag[]>> = {
  title: [{ flag: 'title', takes: 'TEXT' }],
  description: [
    { flag: 'description', takes: 'TEXT' },
    { flag: 'description-file', takes: 'FILE' },
  ],
  remoteOption: [{ flag: 'remote-option', takes: 'REMOTE|HYBRID|IN_PERSON' }],
  remoteCountry: [{ flag: 'remote-country', takes: 'COUNTRY' }],
  jobType: [{ flag: 'job-type', takes: 'FULL_TIME|PART_TIME|CONTRACT|INTERNSHIP' }],
  jobLevel: [{ flag: 'job-level', takes: 'ENTRY|MID|SENIOR' }],
  locations: [{ flag: 'location', takes: 'TEXT_OR_ID' }],
  salaryMin: [{ flag: 'salary-min', takes: 'DOLLARS' }],
  salaryMax: [{ flag: 'salary-max', takes: 'DOLLARS' }],
  salaryPeriod: [{ flag: 'salary-period', takes: 'ANNUAL|HOURLY' }],
  bidPerQualifiedApplicantCents: [{ flag: 'bid-cents', takes: 'CENTS' }],
  opportunityId: [{ flag: 'opportunity-id', takes: 'ID' }],
  atsJobUrl: [{ flag: 'ats-job-url', takes: 'URL' }],
  qualifications: [
    { flag: 'required', takes: 'TEXT' },
    { flag: 'desired', takes: 'TEXT', fillsGap: false },
  ],
  questions: [],
  budgets: [{ flag: 'budget', takes: 'WINDOW=CENTS' }],
  publish: [{ flag: 'publish', takes: '' }],
};

/** The flags that set the field a path begins with: `--bid-cents CENTS`. Empty where there is none. */
export function flagsFor(path: FieldPath): string {
  return inWords(fieldFlags(path));
}

/** The flags that close the gap of a field: a desired qualification leaves the required one missing. */
export function gapFlagsFor(path: FieldPath): string {
  return inWords(fieldFlags(path).filter(({ fillsGap }) => fillsGap !== false));
}

function fieldFlags([field]: FieldPath): readonly FieldFlag[] {
  return Object.hasOwn(FIELD_FLAGS, String(field)) ? FIELD_FLAGS[field as keyof JobInput] : [];
}

function inWords(flags: readonly FieldFlag[]): string {
  return flags.map(({ flag, takes }) => `--${flag} ${takes}`.trimEnd()).join(' or ');
}

/** The flag that fills a field, named as an error body names it (`questions[0].prompt`); undefined where there is none. */
export function flagFor(name: string): string | undefined {
  const [field = ''] = name.split(/[.[]/);
  const [first] = flagsFor([field]).split(' or ');
  return first || undefined;
}
