import type { JobUpdate } from '../../src/contract/job.ts';

export interface Gap {
  /** The requirement of section 8, gate 1, that is left out. */
  readonly name: string;
  /** What opens the gap in a complete listing. */
  readonly change: JobUpdate;
  /** The one field that the refusal names. */
  readonly field: keyof JobUpdate;
}

/** Section 8, gate 1: every way to miss one requirement, one at a time. */
export const GAPS: readonly Gap[] = [
  { name: '`title`', change: { title: '' }, field: 'title' },
  { name: '`title` of blanks', change: { title: ' \n ' }, field: 'title' },
  { name: '`description`', change: { description: '' }, field: 'description' },
  { name: '`remoteOption`', change: { remoteOption: null }, field: 'remoteOption' },
  { name: '`remoteCountry` when REMOTE', change: { remoteCountry: null }, field: 'remoteCountry' },
  { name: '`remoteCountry` of blanks when REMOTE', change: { remoteCountry: ' ' }, field: 'remoteCountry' },
  { name: 'a location when HYBRID', change: { remoteOption: 'HYBRID' }, field: 'locations' },
  { name: 'a location when IN_PERSON', change: { remoteOption: 'IN_PERSON' }, field: 'locations' },
  { name: '`jobType`', change: { jobType: null }, field: 'jobType' },
  { name: '`jobLevel`', change: { jobLevel: null }, field: 'jobLevel' },
  { name: '`salaryMin`', change: { salaryMin: null }, field: 'salaryMin' },
  { name: '`salaryMax`', change: { salaryMax: null }, field: 'salaryMax' },
  { name: '`salaryMin` <= `salaryMax`', change: { salaryMin: 78_001 }, field: 'salaryMin' },
  { name: '`salaryPeriod`', change: { salaryPeriod: null }, field: 'salaryPeriod' },
  {
    name: '`bidPerQualifiedApplicantCents`',
    change: { bidPerQualifiedApplicantCents: null },
    field: 'bidPerQualifiedApplicantCents',
  },
  {
    name: '`bidPerQualifiedApplicantCents` greater than 0',
    change: { bidPerQualifiedApplicantCents: 0 },
    field: 'bidPerQualifiedApplicantCents',
  },
  { name: 'a qualification', change: { qualifications: [] }, field: 'qualifications' },
  {
    name: 'a qualification of kind REQUIRED',
    change: { qualifications: [{ text: 'Own tools', kind: 'DESIRED', order: 1 }] },
    field: 'qualifications',
  },
];

/** What an empty listing is refused for, all at once. */
export const ALL_GAPS = [
  'title',
  'description',
  'remoteOption',
  'jobType',
  'jobLevel',
  'salaryMin',
  'salaryMax',
  'salaryPeriod',
  'bidPerQualifiedApplicantCents',
  'qualifications',
] as const;
