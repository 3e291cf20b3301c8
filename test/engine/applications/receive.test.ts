import assert from 'node:assert/strict';
import type { Kysely } from 'kysely';
import type { ApplicationInput } from '../../../src/contract/application.ts';
import type { BudgetInput } from '../../../src/contract/job.ts';
import { receiveApplication } from '../../../src/engine/applications/receive.ts';
import { newCompany } from '../../../src/engine/companies/company.ts';
import { draftOf } from '../../../src/engine/lifecycle/job-state.ts';
import type { DialectName } from '../../../src/engine/store/connection.ts';
import { createStore, type Store } from '../../../src/engine/store/store.ts';
import type { Tables } from '../../../src/engine/store/tables.ts';
import { COMPLETE } from '../listing.ts';
import { DIALECTS } from '../store/dialects.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { somebodyElse } from './somebody.ts';
import { storeFileRow } from './stored-file.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A Monday. */
const NOW = Date.parse('2026-03-02T09:00:00.000Z');
const BID = 1500;

for (const dialect of Object.keys(DIALECTS) as DialectName[]) {
  describe(`an application on ${dialect}`, () => {
    const path = temporaryDirectory();
    let db: Kysely<Tables>;
    let store: Store;
    let companyId: string;
    const somebody = somebodyElse();

    before(async function () {
      // PostgreSQL takes seconds to start.
      this.timeout(30_000);
      db = await DIALECTS[dialect](path('store.db'));
      store = createStore(db, dialect);
    });
    after(() => store.close());

    beforeEach(async () => {
      await store.clear();
      const company = newCompany('Acme', NOW);
      companyId = company.id;
      await store.write(async (queries) => {
        await queries.companies.insert(company);
        await storeFileRow(queries);
      });
    });

    const publish = (budgets: BudgetInput[] = [], bidCents = BID) =>
      store.write(({ jobs }) =>
        jobs.insert(
          {
            ...draftOf(companyId, {}),
            ...COMPLETE,
            locations: [],
            qualifications: [
              { id: 'q1', text: 'Can weld', kind: 'REQUIRED', order: 1 },
              { id: 'q2', text: 'Can drive', kind: 'DESIRED', order: 2 },
            ],
            questions: [{ id: 's1', prompt: 'Since when?', answerFormat: 'DATE', order: 1 }],
            bidPerQualifiedApplicantCents: bidCents,
            budgets,
            status: 'ACTIVE',
            publishedAt: new Date(NOW).toISOString(),
            expiresAt: new Date(NOW + 30 * DAY_MS).toISOString(),
          },
          NOW,
        ),
      );

    const application = (changes: Partial<ApplicationInput> = {}) =>
      somebody({ answers: { s1: '2020-02-29' }, meets: ['q1'], ...changes });

    const apply = (jobId: number, changes: Partial<ApplicationInput> = {}, now = NOW) => {
      const input = application(changes);
      return store.write((queries) => receiveApplication(queries, jobId, input, now));
    };

    const outcomes = async (jobId: number, count: number, now = NOW) => {
      const given: string[] = [];
      for (let done = 0; done < count; done++) given.push((await apply(jobId, {}, now)).charge.outcome);
      return given;
    };

    it('is charged while the bid fits into the window, delivered free after that, and charged again in the next', async () => {
      const { id } = await publish([{ window: 'DAILY', budgetCents: 2 * BID + 1 }]);
      assert.deepEqual(await outcomes(id, 3), ['charged', 'charged', 'skipped']);
      assert.deepEqual(await outcomes(id, 1, NOW + DAY_MS), ['charged']);
      const sums = await store.read.billingLedger.sums({ target: 'job', id }, { from: '2026', to: null });
      assert.deepEqual(sums, { charges: 3, chargedCents: 3 * BID, skipped: 1, skippedCents: BID });
      const job = await store.read.jobs.find(companyId, id);
      assert.deepEqual(job?.applicationCounts, { pending: 4, accepted: 0, rejected: 0 });
      assert.equal(job?.isFrozen, true);
      assert.equal(job?.newApplicantCount, 4);
    });

    it("is held to the company's caps over all its jobs, and says which budget was filled", async () => {
      await store.write(({ companies }) =>
        companies.putBudgets(companyId, [{ window: 'WEEKLY', budgetCents: BID }]),
      );
      const [first, second] = [await publish(), await publish()];
      assert.deepEqual(await outcomes(first.id, 1), ['charged']);
      assert.deepEqual((await apply(second.id)).charge, {
        outcome: 'skipped',
        amountCents: BID,
        filled: { target: 'company', window: 'WEEKLY' },
      });
    });

    it('costs nothing where a REQUIRED qualification is not met, whatever else is', async () => {
      const { id } = await publish();
      assert.deepEqual((await apply(id, { meets: ['q2'] })).charge, { outcome: 'none' });
      assert.equal((await apply(id, { meets: ['q1', 'q2'] })).charge.outcome, 'charged');
    });

    it('finds what a window holds also after the clock was moved back', async () => {
      const { id } = await publish([{ window: 'DAILY', budgetCents: BID }]);
      assert.deepEqual(await outcomes(id, 1), ['charged']);
      assert.deepEqual(await outcomes(id, 1, NOW + DAY_MS), ['charged']);
      assert.deepEqual(await outcomes(id, 1, NOW - 1), ['skipped']);
    });

    it('is taken once for each email address', async () => {
      const { id } = await publish();
      await apply(id, { email: 'ada@example.com' });
      await assert.rejects(apply(id, { email: 'ada@example.com' }), { code: 'ALREADY_APPLIED' });
      await apply(id, { email: 'ada+work@example.com' });
      assert.equal((await store.read.jobs.find(companyId, id))?.newApplicantCount, 2);
    });

    it('leaves a row in the ledger that nobody changes', async () => {
      const { id } = await publish();
      await apply(id);
      const [row] = await store.read.billingLedger.rows(companyId, { from: '2026', to: null }, 0, 10);
      assert.equal(row?.outcome, 'charged');
      await assert.rejects(db.updateTable('charges').set({ amount_cents: 1 }).execute(), /never changed/);
    });
  });
}
