import assert from 'node:assert/strict';
import { serverJob } from '../../../src/client/server-job.ts';
import { jobChanges } from '../../../src/commands/jobs/job-changes.ts';
import { LIVE_JOB } from './sample-job.ts';

describe('what has changed about a job', () => {
  const changed = (patch: object): string[] => jobChanges(LIVE_JOB, { ...LIVE_JOB, ...patch });

  it('is nothing where nothing has', () => {
    assert.deepEqual(changed({}), []);
    assert.deepEqual(jobChanges(serverJob({ id: 1, title: null }), { id: 1 }), []);
  });

  it('is a line a field, the state first, money and times as people read them', () => {
    assert.deepEqual(
      changed({
        title: 'Nurse',
        salaryMax: 110_000,
        bidPerQualifiedApplicantCents: 2000,
        opportunityId: null,
        status: 'CLOSED',
        closedAt: '2025-11-21T07:09:00.000Z',
      }),
      [
        'status ACTIVE → CLOSED',
        'title Registered Nurse, Night Shift → Nurse',
        'salaryMax $105,000 → $110,000',
        'bidPerQualifiedApplicantCents $15.00 → $20.00',
        'opportunityId REQ-4711 → (none)',
        'closedAt (none) → 2025-11-21 07:09 UTC',
      ],
    );
  });

  it('tells applicants by what became of them, and that the job is frozen', () => {
    const before = { ...LIVE_JOB, isFrozen: false, newApplicantCount: 0 };
    const applicationCounts = { pending: 4, accepted: 1, rejected: 2 };
    assert.deepEqual(jobChanges(before, { ...LIVE_JOB, applicationCounts }), [
      'applicationCounts pending 3 → 4, rejected 0 → 2',
      'isFrozen false → true',
      'newApplicantCount 0 → 2',
    ]);
  });

  it('tells caps and other lists entry by entry', () => {
    const budgets = [
      { window: 'DAILY', budgetCents: 5000, notes: 'Q4' },
      { window: 'WEEKLY', budgetCents: 100 },
    ];
    assert.deepEqual(changed({ budgets }), [
      'budgets ~ daily $100.00 · Q4 → daily $50.00 · Q4, - lifetime $5,000.00, + weekly $1.00',
    ]);
  });

  it('tells of a long text how much of it is another', () => {
    const description = `${LIVE_JOB.description} and bring coffee`;
    assert.deepEqual(changed({ description }), ['description 17 characters added']);
  });

  it('tells what only the server knows', () => {
    assert.deepEqual(changed({ region: { code: 'tx' } }), ['region (none) → {"code":"tx"}']);
  });
});
