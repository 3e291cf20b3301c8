import { EMPTY_CONTENT } from '../../../src/contract/job.ts';

/** A live job as a server answers it, every field filled. */
export const LIVE_JOB = {
  id: 12,
  title: 'Registered Nurse, Night Shift',
  status: 'ACTIVE',
  description:
    'A 400-bed hospital in Austin looks for a registered nurse who likes the quiet of the night.\n\n- care for six patients at most',
  remoteOption: 'IN_PERSON',
  remoteCountry: null,
  jobType: 'FULL_TIME',
  jobLevel: 'SENIOR',
  salaryMin: 85_000,
  salaryMax: 105_000,
  salaryPeriod: 'ANNUAL',
  bidPerQualifiedApplicantCents: 1500,
  opportunityId: 'REQ-4711',
  atsJobUrl: 'https://ats.example/jobs/4711',
  companyId: 'co_1',
  locations: [
    {
      locationId: 4671654,
      displayName: 'Austin, Texas, United States',
      city: 'Austin',
      stateProvince: 'Texas',
      country: 'United States',
    },
    {
      locationId: 4684888,
      displayName: 'Dallas, Texas, United States',
      city: 'Dallas',
      stateProvince: 'Texas',
      country: 'United States',
    },
  ],
  qualifications: [
    { id: 'a', text: 'ICU experience', kind: 'DESIRED', order: 0 },
    { id: 'b', text: 'Active RN license', kind: 'REQUIRED', order: 1 },
  ],
  questions: [
    { id: 'c', prompt: 'When can you start?', answerFormat: 'DATE', order: 1 },
    {
      id: 'd',
      prompt: 'Which shifts can you work?',
      answerFormat: 'MULTI_SELECT',
      options: ['Days', 'Nights'],
      order: 0,
    },
  ],
  budgets: [
    { window: 'DAILY', budgetCents: 10_000, notes: 'Q4' },
    { window: 'LIFETIME', budgetCents: 500_000 },
  ],
  applicationCounts: { pending: 3, accepted: 1, rejected: 0 },
  isFrozen: true,
  newApplicantCount: 2,
  publishedAt: '2025-11-18T07:09:00.000Z',
  expiresAt: '2025-12-18T07:09:00.000Z',
  closedAt: null,
};

/** A draft made from `{}`. */
export const EMPTY_DRAFT = {
  ...LIVE_JOB,
  ...EMPTY_CONTENT,
  id: 13,
  status: 'DRAFT',
  applicationCounts: { pending: 0, accepted: 0, rejected: 0 },
  isFrozen: false,
  newApplicantCount: 0,
  publishedAt: null,
  expiresAt: null,
};

/** Three days after the live job was published. */
export const NOW = Date.parse('2025-11-21T07:09:00.000Z');
