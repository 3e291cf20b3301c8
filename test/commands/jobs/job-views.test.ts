import assert from 'node:assert/strict';
import fc from 'fast-check';
import { batchOutcome } from '../../../src/cli/batch.ts';
import { budgetTable } from '../../../src/cli/caps.ts';
import { toView } from '../../../src/cli/terminal/view.ts';
import { serverJob } from '../../../src/client/server-job.ts';
import { checkLines } from '../../../src/commands/doctor/checks.ts';
import { jobCard } from '../../../src/commands/jobs/job-card.ts';
import { type Moved, transitionLine } from '../../../src/commands/jobs/job-moves.ts';
import {
  JOB_COLUMNS,
  jobTable,
  type ListedJob,
  withSpending,
} from '../../../src/commands/jobs/listed-jobs.ts';
import { jobChanges } from '../../../src/commands/jobs/watched-job.ts';
import { PartnerError } from '../../../src/contract/errors.ts';
import { fakeStreams } from '../../cli/terminal/fake-streams.ts';
import { joined } from '../../cli/terminal/joined.ts';
import { EMPTY_DRAFT, LIVE_JOB, NOW } from './sample-job.ts';

const on = (columns: number) => toView(fakeStreams({ isTerminal: true, columns }), NOW);
const inPipe = toView(fakeStreams(), NOW);

const REMOTE_JOB = {
  ...LIVE_JOB,
  id: 9,
  status: 'CLOSED',
  title: 'Support Engineer',
  remoteOption: 'REMOTE',
  remoteCountry: 'Canada',
  locations: [],
};

describe('the list of jobs', () => {
  const jobs = [EMPTY_DRAFT, LIVE_JOB, REMOTE_JOB];

  it('is tab-separated, whole and with ISO 8601 times in a pipe', async () =>
    assert.equal(
      await joined(jobTable(jobs, inPipe)),
      [
        '13\tDRAFT\t\t\t\t\t\t0 pending, 0 accepted, 0 rejected\t0\t',
        '12\tACTIVE\tRegistered Nurse, Night Shift\tAustin, Texas, United States; Dallas, Texas, United States\t$15.00\t2025-11-18T07:09:00.000Z\t2025-12-18T07:09:00.000Z\t3 pending, 1 accepted, 0 rejected\t2\t',
        '9\tCLOSED\tSupport Engineer\tRemote, Canada\t$15.00\t2025-11-18T07:09:00.000Z\t2025-12-18T07:09:00.000Z\t3 pending, 1 accepted, 0 rejected\t2\t',
        '',
      ].join('\n'),
    ));

  it('lists what a server answers, whatever is missing in it', async () => {
    const expected = '1\t\t\t\t\t\t\t\t\t\n2\t\t\t\t\t\t\t\t\t\n';
    assert.equal(await joined(jobTable([{ id: 1 }, serverJob({ id: 2, title: 7 })], inPipe)), expected);
    assert.equal(await joined(jobTable([], on(80))), 'No jobs.\n');
  });

  it('shows what was spent of the fullest cap, and a dash for a number that the server does not report', async () => {
    const cap = (window: string, budgetCents: number) => ({ window, budgetCents });
    const [daily, weekly, zero] = [cap('DAILY', 10_000), cap('WEEKLY', 30_000), cap('LIFETIME', 0)];
    const spentCents = { DAILY: 4500, WEEKLY: 27_050, MONTHLY: 30_000, LIFETIME: 90_000 };
    const jobs = [
      { id: 1, budgets: [daily, weekly] },
      { id: 2, budgets: [weekly], status: 'EXPIRED' },
      { id: 3, budgets: [weekly, zero], applicationCounts: { pending: 2, rejected: 7 } },
      { id: 4 },
    ].map(serverJob);
    const spent = { spentCents, filled: null };
    const source = { spending: async () => ({ company: spentCents, jobs: [spent, spent, spent] }) };
    const listed: ListedJob[] = [];
    for await (const job of withSpending(jobs, source)) listed.push(job);
    const columns = JOB_COLUMNS.filter(({ title }) => /^(?:ID|APPLICANTS|NEW|SPENT)$/.test(title));
    const sort = { by: JOB_COLUMNS.at(-1) as (typeof JOB_COLUMNS)[number], isDescending: true };
    assert.equal(
      await joined(jobTable(listed, on(80), { columns, sort })),
      `ID  APPLICANTS     NEW  SPENT
2   –                –  $900
3   9 (2 pending)    –  $900 of $0 lifetime
1   –                –  $270.50 of $300 weekly
4   –                –  –
`,
    );
    assert.equal(
      await joined(jobTable(listed.slice(2), inPipe, { columns, csv: true })),
      [
        'ID,PENDING,ACCEPTED,REJECTED,NEW,SPENT_CENTS,SPENT_CAP_CENTS,SPENT_CAP_WINDOW',
        '3,2,,7,,90000,0,LIFETIME',
        '4,,,,,,,',
        '',
      ].join('\r\n'),
    );
  });
});

describe('what became of transitions', () => {
  it('is one line a job, with the state that the server answered', () => {
    const items = [
      { id: 12, job: LIVE_JOB },
      { id: 14, job: { ...LIVE_JOB, id: 14, status: 'PAUSED' } },
    ];
    assert.equal(
      items.map((item) => transitionLine('resume', item, on(80))).join(''),
      `✓ Resumed 12 Registered Nurse, Night Shift · live until 2025-12-18 07:09 UTC
✓ Resumed 14 Registered Nurse, Night Shift · now PAUSED
`,
    );
  });

  it('says of each job that was not moved why, and what to do', async () => {
    const incomplete = new PartnerError('VALIDATION_FAILED', {
      message: 'the listing is incomplete',
      fields: { title: 'is required to publish' },
    });
    const view = { ...on(80), mend: () => '--title' };
    const { text } = await batchOutcome([13, 99], {
      run: async (id): Promise<Moved> => {
        throw id === 13 ? incomplete : new PartnerError('NOT_FOUND');
      },
      json: ({ job }) => job,
      name: 'job',
      line: (moved) => transitionLine('publish', moved, view),
      view,
    });
    assert.equal(
      text(),
      `✗ 13: the listing is incomplete
  title  is required to publish (--title)
✗ 99: job not found
→ list your company's jobs with \`partner jobs list\`
`,
    );
  });
});

describe('the list of caps', () => {
  it('says when each window resets', async () =>
    assert.equal(
      await budgetTable(LIVE_JOB.budgets, on(80)),
      `WINDOW          CAP  RESETS                  NOTES
DAILY       $100.00  every day at 00:00 UTC  Q4
LIFETIME  $5,000.00  never
`,
    ));
});

describe('what the doctor finds', () => {
  it('is one line a check, with what to do below each that failed', () => {
    const items = [
      { name: 'Node', found: '20.19.0' },
      { name: 'Configuration', found: 'mode 0644', advice: 'chmod 600 x\x1b[2J', exit: 2 },
    ];
    const expected = '✓ Node           20.19.0\n✗ Configuration  mode 0644\n  → chmod 600 x\n';
    assert.equal(checkLines(items, on(80)), expected);
  });
});

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
