import type { JobInput } from '../../src/contract/job.ts';
import { AUSTIN } from './some-places.ts';

const { locationId, city, stateProvince, country } = AUSTIN;

/** A listing that passes the completeness gate. */
export const COMPLETE = {
  title: 'Pipe welder',
  description: 'TIG and MIG on stainless pipe, first shift.',
  remoteOption: 'IN_PERSON',
  jobType: 'FULL_TIME',
  jobLevel: 'MID',
  locations: [{ locationId, city, stateProvince, country }],
  salaryMin: 28,
  salaryMax: 36,
  salaryPeriod: 'HOURLY',
  bidPerQualifiedApplicantCents: 1500,
  qualifications: [
    { text: 'AWS certification', kind: 'REQUIRED', order: 1 },
    { text: 'Own hood', kind: 'DESIRED', order: 2 },
  ],
  questions: [
    { prompt: 'Years of TIG experience?', answerFormat: 'NUMBER', order: 1 },
    { prompt: 'Which shifts?', answerFormat: 'MULTI_SELECT', options: ['first', 'second'], order: 2 },
  ],
  budgets: [{ window: 'DAILY', budgetCents: 9000 }],
} satisfies JobInput;
