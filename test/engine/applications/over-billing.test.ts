import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Kysely } from 'kysely';
import type { BudgetInput } from '../../../src/contract/job.ts';
import type { BudgetWindow } from '../../../src/contract/values.ts';
import { receiveApplication } from '../../../src/engine/applications/receive.ts';
import type { Tables } from '../../../src/engine/store/tables.ts';
import { times } from '../../times.ts';
import { someCaps, windowName } from '../billing/recount.ts';
import { engineFor, payingCompany } from '../engine-under-test.ts';
import { COMPLETE } from '../listing.ts';
import { somebodyElse } from './somebody.ts';
import { storeFileRow } from './stored-file.ts';

const HOUR_MS = 60 * 60 * 1000;
const JOBS = 2;
const COMPANY = JOBS;

type Step =
  | { readonly kind: 'apply'; readonly job: number; readonly isQualified: boolean }
  | { readonly kind: 'bid'; readonly job: number; readonly cents: number }
  | { readonly kind: 'caps'; readonly target: number; readonly budgets: readonly BudgetInput[] }
  | { readonly kind: 'pause' | 'resume'; readonly job: number }
  | { readonly kind: 'clock'; readonly hours: number };

const job = fc.nat(JOBS - 1);
const cents = fc.integer({ min: 1, max: 12 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('apply'),
      job,
      isQualified: fc.constantFrom(true, true, true, false),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('bid'), job, cents }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('caps'), target: fc.nat(COMPANY), budgets: someCaps(60) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('pause', 'resume'), job }) },
  // The clock also moves back, by hours and by months.
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('clock'), hours: fc.integer({ min: -40, max: 60 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('clock'),
      hours: fc.constantFrom(-24 * 40, -24 * 7, 24 * 7, 24 * 20),
    }),
  },
);

const RUNS = times(12, 500);

describe('the over-billing guarantee', () => {
  const somebody = somebodyElse();
  const engine = engineFor('all tests');
  let db: Kysely<Tables>;
  before(async () => {
    db = await engine.database.tables();
    await engine.store.write((queries) => storeFileRow(queries));
  });

  it('holds in every window of every budget, whatever happens in whatever order, and skipped stays skipped', () =>
    fc.assert(fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 45 }), replay), {
      numRuns: RUNS,
    })).timeout(600_000 + 2_000 * RUNS);

  async function replay(steps: readonly Step[]): Promise<void> {
    const { operator } = engine;
    engine.now = Date.parse('2026-02-25T11:00:00.000Z');
    const { companyId, key } = await payingCompany(operator);
    const call = (method: string, address: string, body?: unknown) =>
      engine.call(method, address, body, { authorization: `Bearer ${key}` });
    const bids = Array.from({ length: JOBS }, () => 5);
    const caps: (readonly BudgetInput[])[] = Array.from({ length: JOBS + 1 }, () => []);
    const ids: number[] = [];
    for (const bidPerQualifiedApplicantCents of bids) {
      const content = { ...COMPLETE, budgets: [], questions: [], bidPerQualifiedApplicantCents };
      ids.push((await call('POST', '/jobs', { ...content, publish: true })).body.id);
    }
    const entries: { job: number; day: string; cents: number; isCharged: boolean }[] = [];
    for (const one of steps) {
      if (one.kind === 'clock') engine.now += one.hours * HOUR_MS;
      else if (one.kind === 'apply') await applied(one);
      else if (one.kind === 'bid') {
        const change = { bidPerQualifiedApplicantCents: one.cents };
        const { status } = await call('PATCH', `/jobs/${ids[one.job]}`, change);
        if (status === 200) bids[one.job] = one.cents;
      } else if (one.kind !== 'caps') await call('POST', `/jobs/${ids[one.job]}/${one.kind}`);
      else if (one.target === COMPANY) {
        await operator.dashboard.setBudgets(companyId, () => one.budgets);
        caps[COMPANY] = one.budgets;
      } else {
        const { status } = await call('PATCH', `/jobs/${ids[one.target]}`, { budgets: one.budgets });
        if (status === 200) caps[one.target] = one.budgets;
      }
    }
    const charges = db.selectFrom('charges').selectAll().where('company_id', '=', companyId);
    const rows = await charges.orderBy('id').execute();
    const ledger = rows.map((row) => ({
      job: ids.indexOf(Number(row.job_id)),
      day: row.decided_at.slice(0, 10),
      cents: Number(row.amount_cents),
      isCharged: row.outcome === 'charged',
    }));
    assert.deepEqual(ledger, entries);

    async function applied({ job: index, isQualified }: Extract<Step, { kind: 'apply' }>): Promise<void> {
      const id = ids[index] ?? 0;
      const { body: shown } = await call('GET', `/jobs/${id}`);
      const meets = isQualified ? shown.qualifications.map((entry: { id: string }) => entry.id) : [];
      const sent = engine.store.write((queries) =>
        receiveApplication(queries, id, somebody({ meets }), engine.now),
      );
      if (shown.status !== 'ACTIVE') return assert.rejects(sent, { code: 'INVALID_TRANSITION' });
      const { charge } = await sent;
      if (!isQualified) return assert.equal(charge.outcome, 'none');
      const [bid = 0, day] = [bids[index], new Date(engine.now).toISOString().slice(0, 10)];
      const spent = (target: number, window: BudgetWindow) =>
        entries
          .filter((entry) => entry.isCharged && (target === COMPANY || entry.job === target))
          .filter((entry) => windowName(window, Date.parse(entry.day)) === windowName(window, engine.now))
          .reduce((sum, entry) => sum + entry.cents, 0);
      const fits = [index, COMPANY].every((target) =>
        (caps[target] ?? []).every(({ window, budgetCents }) => spent(target, window) + bid <= budgetCents),
      );
      assert.equal(charge.outcome, fits ? 'charged' : 'skipped');
      entries.push({ job: index, day, cents: bid, isCharged: fits });
    }
  }
});
