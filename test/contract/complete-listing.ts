import type { JobContent } from '../../src/contract/job.ts';

/** A listing with every field filled that passes every check; tests change one thing at a time. */
export const COMPLETE_LISTING: JobContent = {
  title: 'Journeyman electrician',
  description: 'Commercial fit-outs.\n\nDay shift.',
  remoteOption: 'IN_PERSON',
  remoteCountry: null,
  jobType: 'FULL_TIME',
  jobLevel: 'MID',
  locations: [{ locationId: 4671654, city: 'Austin', stateProvince: 'Texas', country: 'United States' }],
  salaryMin: 34,
  salaryMax: 46,
  salaryPeriod: 'HOURLY',
  bidPerQualifiedApplicantCents: 1800,
  opportunityId: 'REQ-2041',
  atsJobUrl: 'https://ats.example/jobs/REQ-2041',
  qualifications: [
    { text: 'Texas journeyman license', kind: 'REQUIRED', order: 1 },
    { text: 'Lift certification', kind: 'DESIRED', order: 2 },
  ],
  questions: [
    { prompt: 'Which license do you hold?', answerFormat: 'SINGLE_SELECT', options: ['A', 'B'], order: 1 },
    { prompt: 'Years since you were licensed', answerFormat: 'NUMBER', order: 2 },
  ],
  budgets: [
    { window: 'WEEKLY', budgetCents: 20_000, notes: 'Spring hiring' },
    { window: 'LIFETIME', budgetCents: 0 },
  ],
};
