import assert from 'node:assert/strict';
import type { ApplicationInput } from '../../../src/contract/application.ts';
import type { BudgetInput } from '../../../src/contract/job.ts';
import { loadBudgetStates } from '../../../src/engine/applications/caps.ts';
import {
  decideApplication,
  listApplications,
} from '../../../src/engine/applications/company-applications.ts';
import { type ReceivedApplication, receiveApplication } from '../../../src/engine/applications/receive.ts';
import { createCompanyRow } from '../../../src/engine/companies/company.ts';
import { ALL_TIME, buildInvoice } from '../../../src/engine/companies/invoice.ts';
import { createDraft } from '../../../src/engine/lifecycle/job-state.ts';
import { fixture } from '../../fixture.ts';
import { databaseFor, describeOnEach } from '../store/dialects.ts';
import capStates from './cap-states.json' with { type: 'json' };
import { somebodyElse } from './somebody.ts';
import { storeFileRow } from './stored-file.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A Monday. */
const NOW = Date.parse('2026-03-30T09:00:00.000Z');
const APRIL = Date.parse('2026-04-01T00:00:00.000Z');
const BID = 1500;

describeOnEach('applications', (kind) => {
  const database = databaseFor('all tests', kind);
  let companyId: string;
  const somebody = somebodyElse();
  let lastEmail = '';

  const store = fixture('all tests', () => database().openStore());

  beforeEach(async () => {
    await store.clear();
    companyId = await company();
    await store.write((queries) => storeFileRow(queries));
  });

  async function company(): Promise<string> {
    const row = createCompanyRow('Acme', NOW);
    await store.write(({ companies }) => companies.insert(row));
    return row.id;
  }

  async function publish(title: string, budgets: BudgetInput[] = [], owner = companyId): Promise<number> {
    const { id } = await store.write(({ jobs }) =>
      jobs.insert(
        {
          ...createDraft(owner, { title, budgets, bidPerQualifiedApplicantCents: BID }),
          qualifications: [
            { id: 'q1', text: 'Can weld', kind: 'REQUIRED', order: 1 },
            { id: 'q2', text: 'Can drive', kind: 'DESIRED', order: 2 },
          ],
          status: 'ACTIVE',
          publishedAt: new Date(NOW).toISOString(),
          expiresAt: new Date(NOW + 30 * DAY_MS).toISOString(),
        },
        NOW,
      ),
    );
    return id;
  }

  async function apply(
    jobId: number,
    { now = NOW, ...changes }: Partial<ApplicationInput> & { now?: number } = {},
  ): Promise<ReceivedApplication> {
    const input = somebody({ meets: ['q1'], ...changes });
    lastEmail = input.email;
    return store.write((queries) => receiveApplication(queries, jobId, input, now));
  }

  const decide = (id: number, to: 'accepted' | 'rejected', now = NOW, owner = companyId) =>
    store.write((queries) => decideApplication(queries, owner, id, to, now));

  const countsOf = async (id: number) => {
    const job = await store.read.jobs.find(companyId, id);
    return { ...job?.applicationCounts, unseen: job?.newApplicantCount };
  };

  const list = (jobId?: number, owner = companyId) =>
    store.write((queries) => listApplications(queries, { companyId: owner, jobId, limit: 10 }));

  const outcomes = async (jobId: number, count: number, now = NOW) => {
    const given: string[] = [];
    for (let done = 0; done < count; done++) given.push((await apply(jobId, { now })).charge.outcome);
    return given;
  };

  it('is charged while the bid fits into the window, delivered free after that, and charged again in the next', async () => {
    const id = await publish('Welder', [{ window: 'DAILY', budgetCents: 2 * BID + 1 }]);
    assert.deepEqual(await outcomes(id, 3), ['charged', 'charged', 'skipped']);
    assert.deepEqual(await outcomes(id, 1, NOW + DAY_MS), ['charged']);
    const sums = await store.read.billingLedger.sums({ target: 'job', id }, { startsAt: 0, endsAt: null });
    assert.deepEqual(sums, { charges: 3, chargedCents: 3 * BID, skipped: 1, skippedCents: BID });
    const job = await store.read.jobs.find(companyId, id);
    assert.deepEqual(job?.applicationCounts, { pending: 4, accepted: 0, rejected: 0 });
    assert.equal(job?.isFrozen, true);
    assert.equal(job?.newApplicantCount, 4);
  });

  it("is held to the company's caps over all its jobs, and says which budget was filled", async () => {
    await store.write(({ companies }) =>
      companies.change(companyId, { budgets: JSON.stringify([{ window: 'WEEKLY', budgetCents: BID }]) }),
    );
    const [first, second] = [await publish('Welder'), await publish('Nurse')];
    assert.deepEqual(await outcomes(first, 1), ['charged']);
    const wanted = { outcome: 'skipped', amountCents: BID, filled: { target: 'company', window: 'WEEKLY' } };
    assert.deepEqual((await apply(second)).charge, wanted);
  });

  it('costs nothing where a REQUIRED qualification is not met, whatever else is', async () => {
    const id = await publish('Welder');
    assert.deepEqual((await apply(id, { meets: ['q2'] })).charge, { outcome: 'none' });
    assert.equal((await apply(id, { meets: ['q1', 'q2'] })).charge.outcome, 'charged');
  });

  it('finds what a window holds also after the clock was moved back', async () => {
    const id = await publish('Welder', [{ window: 'DAILY', budgetCents: BID }]);
    assert.deepEqual(await outcomes(id, 1), ['charged']);
    assert.deepEqual(await outcomes(id, 1, NOW + DAY_MS), ['charged']);
    assert.deepEqual(await outcomes(id, 1, NOW - 1), ['skipped']);
  });

  it('is taken once for each email address', async () => {
    const id = await publish('Welder');
    await apply(id, { email: 'ada@example.com' });
    await assert.rejects(apply(id, { email: 'ada@example.com' }), { code: 'ALREADY_APPLIED' });
    await apply(id, { email: 'ada+work@example.com' });
    assert.equal((await store.read.jobs.find(companyId, id))?.newApplicantCount, 2);
  });

  it('leaves a row in the ledger that nobody changes', async () => {
    const id = await publish('Welder');
    await apply(id);
    const row = await (await database().tables())
      .selectFrom('charges')
      .selectAll()
      .where('job_id', '=', id)
      .executeTakeFirst();
    assert.equal(row?.outcome, 'charged');
    await assert.rejects(
      (await database().tables()).updateTable('charges').set({ amount_cents: 1 }).execute(),
      /never changed/,
    );
  });

  it("is on its month's invoice where it is charged for, else in the report of what was free", async () => {
    const welder = await publish('Welder', [{ window: 'DAILY', budgetCents: 2 * BID }]);
    const nurse = await publish('Nurse');
    for (let count = 0; count < 3; count++) await apply(welder);
    await apply(nurse, { now: APRIL - 1 });
    await apply(nurse, { now: APRIL });
    await apply(nurse, { meets: [] });
    await apply(await publish('Elsewhere', [], await company()));

    const invoice = (month?: string, outcome: 'charged' | 'skipped' = 'charged') =>
      buildInvoice(store.read, { companyId, month, outcome }, NOW);
    const period = {
      companyId,
      month: '2026-03',
      from: '2026-03-01T00:00:00.000Z',
      to: '2026-04-01T00:00:00.000Z',
    };
    const charged = (jobId: number, title: string, applications: number) => {
      const sums = { chargedCents: applications * BID, skippedCents: 0 };
      const lines = [{ bidCents: BID, applications, ...sums, filled: null }];
      return { jobId, title, charges: applications, skipped: 0, ...sums, lines };
    };
    assert.deepEqual(await invoice(), {
      ...period,
      items: [charged(welder, 'Welder', 2), charged(nurse, 'Nurse', 1)],
      totalChargedCents: 3 * BID,
      totalSkippedCents: 0,
    });
    const free = { chargedCents: 0, skippedCents: BID };
    const lines = [{ bidCents: BID, applications: 1, ...free, filled: { target: 'job', window: 'DAILY' } }];
    assert.deepEqual(await invoice(undefined, 'skipped'), {
      ...period,
      items: [{ jobId: welder, title: 'Welder', charges: 0, skipped: 1, ...free, lines }],
      totalChargedCents: 0,
      totalSkippedCents: BID,
    });
    assert.equal((await invoice('2026-04')).totalChargedCents, BID);
    assert.equal((await invoice(ALL_TIME)).totalChargedCents, 4 * BID);
    assert.deepEqual((await invoice('2026-02')).items, []);
    await assert.rejects(invoice('2026-13'), { code: 'VALIDATION_FAILED' });
  });

  it('shows in the state of each cap: what is spent of it, what it has skipped, and when it resets', async () => {
    const budgets: BudgetInput[] = [
      { window: 'LIFETIME', budgetCents: 10 * BID, notes: 'Q2' },
      { window: 'DAILY', budgetCents: 2 * BID + 1 },
    ];
    const id = await publish('Welder', budgets);
    const of = { target: 'job', id } as const;
    for (let count = 0; count < 4; count++) await apply(id);
    const states = await loadBudgetStates(store.read, of, budgets, NOW, BID);
    assert.deepEqual(states, capStates);
    const [next] = await loadBudgetStates(store.read, of, budgets, NOW + DAY_MS, BID);
    assert.deepEqual([next?.spentCents, next?.skippedCharges, next?.isFilled], [0, 0, false]);
  });

  it("shows in the state of a company's cap whether the lowest bid of its live jobs fits", async () => {
    const budgets: BudgetInput[] = [{ window: 'MONTHLY', budgetCents: BID + 100 }];
    const filled = async (now = NOW) =>
      (await loadBudgetStates(store.read, { target: 'company', id: companyId }, budgets, now))[0]?.isFilled;
    await apply(await publish('Welder'));
    await publish('Elsewhere', [], await company());
    assert.equal(await filled(), true);
    // 31 days later, no job is live and the next window has begun.
    assert.equal(await filled(NOW + 31 * DAY_MS), false);
    const cheap = await store.read.jobs.find(companyId, await publish('Nurse'));
    assert.ok(cheap);
    await store.write(({ jobs }) => jobs.replace({ ...cheap, bidPerQualifiedApplicantCents: 100 }));
    assert.equal(await filled(), false);
  });

  it('is counted where it stands: accepted, rejected after all, and once however often that is said', async () => {
    const job = await publish('Welder');
    const { id } = await apply(job);
    assert.equal((await decide(id, 'accepted', NOW)).decidedAt, new Date(NOW).toISOString());
    const again = await decide(id, 'accepted', NOW + DAY_MS);
    assert.equal(again.decidedAt, new Date(NOW).toISOString());
    assert.deepEqual(await countsOf(job), { pending: 0, accepted: 1, rejected: 0, unseen: 1 });
    const rejected = await decide(id, 'rejected', NOW + DAY_MS);
    assert.deepEqual(rejected.charge, { outcome: 'charged', amountCents: BID });
    assert.deepEqual([rejected.status, rejected.email], ['rejected', lastEmail]);
    assert.deepEqual(await countsOf(job), { pending: 0, accepted: 0, rejected: 1, unseen: 1 });
  });

  it("is nobody else's to see or to decide on", async () => {
    const other = await company();
    const job = await publish('Welder');
    const { id } = await apply(job);
    await assert.rejects(decide(id, 'accepted', NOW, other), { code: 'NOT_FOUND' });
    await assert.rejects(decide(id + 1, 'accepted'), { code: 'NOT_FOUND' });
    await assert.rejects(list(job, other), { code: 'NOT_FOUND' });
    assert.deepEqual(await list(undefined, other), []);
    assert.deepEqual(await countsOf(job), { pending: 1, accepted: 0, rejected: 0, unseen: 1 });
  });

  it('is new until its job is opened; a list over all jobs opens none', async () => {
    const job = await publish('Welder', [{ window: 'DAILY', budgetCents: BID }]);
    for (let count = 0; count < 2; count++) await apply(job);
    await apply(job, { meets: [] });
    const charges = (await list()).map(({ charge }) => charge);
    assert.deepEqual(charges, [
      { outcome: 'none' },
      { outcome: 'skipped', amountCents: BID, filled: { target: 'job', window: 'DAILY' } },
      { outcome: 'charged', amountCents: BID },
    ]);
    assert.equal((await countsOf(job)).unseen, 3);
    assert.equal((await list(job)).length, 3);
    assert.equal((await countsOf(job)).unseen, 0);
  });
});
