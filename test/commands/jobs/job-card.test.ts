import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toView } from '../../../src/cli/terminal/view.ts';
import { serverJob } from '../../../src/client/server-job.ts';
import { jobCard } from '../../../src/commands/jobs/job-card.ts';
import { fakeStreams } from '../../cli/terminal/fake-streams.ts';
import { EMPTY_DRAFT, LIVE_JOB, NOW } from './sample-job.ts';

const on = (columns: number) => toView(fakeStreams({ isTerminal: true, columns }), NOW);
const inPipe = toView(fakeStreams(), NOW);

describe('the card of a job', () => {
  it('says of a cap below the bid that it hides the job', () => {
    const budgets = [
      { window: 'WEEKLY', budgetCents: 1500 },
      { window: 'DAILY', budgetCents: 50 },
    ];
    assert.match(
      jobCard({ ...LIVE_JOB, budgets }, inPipe),
      /daily +\$0\.50 · less than one bid: the bundled engine hides this job, .* · .*\n +weekly +\$15\.00 · resets/,
    );
  });

  it('shows no job as remote that is not, and hides no country that was given', () => {
    const card = jobCard({ ...EMPTY_DRAFT, remoteOption: 'HYBRID', remoteCountry: 'Canada' }, on(80));
    assert.doesNotMatch(card, /Remote, Canada/);
    assert.match(card, /\n {2}Remote country {2}Canada\n/);
  });

  it('claims no 30 days where a server has another length', () => {
    const job = { ...LIVE_JOB, expiresAt: '2026-02-18T07:09:00.000Z' };
    assert.match(jobCard(job, on(80)), /^job 12 · ACTIVE · 89 days left$/m);
  });

  it('keeps and shows what a server answers beyond the contract', () => {
    const card = jobCard(
      serverJob({ ...LIVE_JOB, status: 'ARCHIVED', jobType: 'GIG', region: { code: 'tx' }, tags: ['a'] }),
      on(80),
    );
    assert.match(card, /^job 12 · ARCHIVED$/m);
    assert.match(card, /in person · GIG · senior/);
    const expected = /\nOther fields from the server\n {2}region {2}\{"code":"tx"\}\n {2}tags {4}\["a"\]\n$/;
    assert.match(card, expected);
  });

  it('gives a card of whatever a server answers', () => {
    const anything = fc.anything({ withNullPrototype: true, withBigInt: false });
    const broken = fc.record(Object.fromEntries(Object.keys(LIVE_JOB).map((field) => [field, anything])), {
      requiredKeys: [],
    });
    fc.assert(
      fc.property(broken, fc.constantFrom('DRAFT', 'ACTIVE', 7), (fields, status) => {
        const job = JSON.parse(JSON.stringify({ ...fields, id: 1, status }));
        assert.match(jobCard(serverJob(job), on(80)), /\njob 1/);
      }),
    );
  });
});
