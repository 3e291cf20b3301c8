import assert from 'node:assert/strict';
import { jobChanges } from '../../../src/commands/jobs/watched-job.ts';
import { LIVE_JOB } from './sample-job.ts';

describe('what has changed about a job', () => {
  const changed = (patch: object): string[] => jobChanges(LIVE_JOB, { ...LIVE_JOB, ...patch });

  it('is a line a field, money as people read it', () =>
    assert.deepEqual(
      changed({
        title: 'Nurse',
        salaryMax: 110_000,
        bidPerQualifiedApplicantCents: 2000,
        opportunityId: null,
        status: 'CLOSED',
      }),
      [
        'status ACTIVE → CLOSED',
        'title Registered Nurse, Night Shift → Nurse',
        'salaryMax $105,000 → $110,000',
        'bidPerQualifiedApplicantCents $15.00 → $20.00',
        'opportunityId REQ-4711 → (none)',
      ],
    ));

  it('tells caps and other lists entry by entry', () => {
    const budgets = [{ window: 'DAILY', budgetCents: 5000, notes: 'Q4' }, LIVE_JOB.budgets?.[1]];
    assert.deepEqual(changed({ budgets }), ['budgets ~ daily $100.00 · Q4 → daily $50.00 · Q4']);
  });
});
