import type { JobInput } from '../../contract/job.ts';
import type { FieldPath } from '../../contract/problems.ts';

/** Contract field → flags (cli.md, "Job fields as flags"); a field without one comes from a file or the form. */
export const FIELD_FLAGS: Readonly<Record<keyof JobInput, readonly string[]>> = {
  title: ['--title TEXT'],
  description: ['--description TEXT', '--description-file FILE'],
  remoteOption: ['--remote-option REMOTE|HYBRID|IN_PERSON'],
  remoteCountry: ['--remote-country COUNTRY'],
  jobType: ['--job-type FULL_TIME|PART_TIME|CONTRACT|INTERNSHIP'],
  jobLevel: ['--job-level ENTRY|MID|SENIOR'],
  locations: ['--location TEXT_OR_ID'],
  salaryMin: ['--salary-min DOLLARS'],
  salaryMax: ['--salary-max DOLLARS'],
  salaryPeriod: ['--salary-period ANNUAL|HOURLY'],
  bidPerQualifiedApplicantCents: ['--bid-cents CENTS'],
  opportunityId: ['--opportunity-id ID'],
  atsJobUrl: ['--ats-job-url URL'],
  qualifications: ['--required TEXT', '--desired TEXT'],
  questions: [],
  budgets: ['--budget WINDOW=CENTS'],
  publish: ['--publish'],
};

/** The flags that set the field a path begins with: `--bid-cents CENTS`. Empty where there is none. */
export function flagsFor(path: FieldPath): string {
  return fieldFlags(path).join(' or ');
}

/** The flags that close the gap of a field: a desired qualification leaves the required one missing. */
export function gapFlagsFor(path: FieldPath): string {
  return path[0] === 'qualifications' ? '--required TEXT' : flagsFor(path);
}

/** The first flag of a field, named as an error body names it (`questions[0].prompt`). */
export function flagFor(name: string): string | undefined {
  return fieldFlags(name.split(/[.[]/))[0];
}

function fieldFlags([field]: FieldPath): readonly string[] {
  return Object.hasOwn(FIELD_FLAGS, String(field)) ? FIELD_FLAGS[field as keyof JobInput] : [];
}
