import type { Job, JobInput } from './job.ts';

const BOSTON = {
  locationId: 4930956,
  city: 'Boston',
  stateProvince: 'Massachusetts',
  country: 'United States',
};
const LICENCE = { text: 'A nursing licence of Massachusetts', kind: 'REQUIRED', order: 1 } as const;

const CONTENT = {
  title: 'ICU nurse',
  description: 'Cares for patients in intensive care, on nights.',
  remoteOption: 'IN_PERSON',
  jobType: 'FULL_TIME',
  jobLevel: 'MID',
  salaryMin: 85_000,
  salaryMax: 105_000,
  salaryPeriod: 'ANNUAL',
  bidPerQualifiedApplicantCents: 2500,
  opportunityId: 'REQ-2041',
} as const satisfies JobInput;

/** A listing that passes the publish gate. */
export const EXAMPLE_INPUT: JobInput = {
  ...CONTENT,
  locations: [BOSTON],
  qualifications: [LICENCE],
  budgets: [{ window: 'WEEKLY', budgetCents: 50_000 }],
  publish: true,
};

/** What the service answers to the create. */
export const EXAMPLE_JOB: Job = {
  id: 1042,
  status: 'ACTIVE',
  ...CONTENT,
  remoteCountry: null,
  atsJobUrl: null,
  companyId: 'acme',
  locations: [{ ...BOSTON, displayName: 'Boston, Massachusetts, United States' }],
  qualifications: [{ id: 'q-1', ...LICENCE }],
  questions: [],
  budgets: [{ window: 'WEEKLY', budgetCents: 50_000 }],
  applicationCounts: { pending: 0, accepted: 0, rejected: 0 },
  isFrozen: false,
  newApplicantCount: 0,
  publishedAt: '2026-03-02T09:30:00.000Z',
  expiresAt: '2026-04-01T09:30:00.000Z',
  closedAt: null,
};
