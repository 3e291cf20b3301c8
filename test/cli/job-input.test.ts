import assert from 'node:assert/strict';
import { readBudgets, toJobInput } from '../../src/cli/job-input.ts';
import { serverJob } from '../../src/client/server-job.ts';
import {
  CONTENT_FIELDS,
  EMPTY_CONTENT,
  type Job,
  type JobContent,
  type JobInput,
} from '../../src/contract/job.ts';
import { placeOf } from '../listings/places.ts';
import brokenJobs from './broken-jobs.json' with { type: 'json' };
import fullListing from './full-listing.json' with { type: 'json' };

function jobOf(content: Partial<JobContent>): Job {
  const filled = { ...EMPTY_CONTENT, ...content };
  return {
    newField: 'from a newer server',
    id: 12,
    status: 'CLOSED',
    companyId: 'c1',
    applicationCounts: { pending: 1, accepted: 0, rejected: 0 },
    isFrozen: true,
    newApplicantCount: 1,
    publishedAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-31T00:00:00.000Z',
    closedAt: '2026-01-02T00:00:00.000Z',
    ...filled,
    locations: filled.locations.map(({ locationId }) => {
      const { countryCode, population, ...suggestion } = placeOf(locationId);
      return suggestion;
    }),
    qualifications: filled.qualifications.map((entry, index) => ({ id: `q${index}`, ...entry })),
    questions: filled.questions.map((entry, index) => ({ id: `a${index}`, ...entry })),
  } as unknown as Job;
}

const FULL = fullListing as JobInput;

describe('toJobInput', () => {
  it('gives back what a job was made of, in the order of the specification', () => {
    const input = toJobInput(jobOf(FULL as JobContent));
    assert.deepEqual(input, FULL);
    assert.deepEqual(Object.keys(input), CONTENT_FIELDS);
  });

  it('leaves out empty options and notes, which create would refuse or need not be told', () => {
    const job = jobOf({
      questions: [{ prompt: 'Why?', answerFormat: 'TEXT', options: [], order: 1 }],
      budgets: [{ window: 'DAILY', budgetCents: 5, notes: null }],
    });
    assert.deepEqual(toJobInput(job), {
      questions: [{ prompt: 'Why?', answerFormat: 'TEXT', order: 1 }],
      budgets: [{ window: 'DAILY', budgetCents: 5 }],
    });
  });

  it('refuses a field of another type than the contract, and takes a job that leaves fields out', () => {
    for (const broken of brokenJobs)
      assert.throws(() => toJobInput(serverJob({ ...jobOf({}), ...broken })), { code: 'ANSWER_UNREADABLE' });
    assert.deepEqual(toJobInput({ id: 7, title: 'Nurse' }), { title: 'Nurse' });
  });
});

describe('the standing caps of a job', () => {
  it('are not taken for none where the server does not say', () => {
    assert.deepEqual(readBudgets(jobOf({})), []);
    assert.throws(() => readBudgets({ id: 7 }), { code: 'ANSWER_UNREADABLE' });
  });
});
