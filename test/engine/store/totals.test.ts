import assert from 'node:assert/strict';
import { BUDGET_WINDOWS, JOB_STATUSES, type JobStatus } from '../../../src/contract/values.ts';
import { toWindowSpan } from '../../../src/engine/billing/charge.ts';
import { createCompanyRow } from '../../../src/engine/companies/company.ts';
import { createDraft, withExpiry } from '../../../src/engine/lifecycle/job-state.ts';
import { settleExpiry } from '../../../src/engine/store/store.ts';
import type { ChargeRow } from '../../../src/engine/store/tables.ts';
import { fixture } from '../../fixture.ts';
import { storeApplication } from '../stored-application.ts';
import { copyJob } from './copied-jobs.ts';
import { databaseFor, describeOnEach } from './dialects.ts';

const NOW = Date.parse('2026-03-02T09:00:00.000Z');
const HOUR_MS = 60 * 60 * 1000;
const timeAt = (hours: number) => new Date(NOW + hours * HOUR_MS).toISOString();

describeOnEach('what the store adds up as it goes', (kind) => {
  const database = databaseFor('all tests', kind);
  const companyIds: string[] = [];
  // Deterministic, so that every run draws the same values.
  let draws = 1;
  const below = (bound: number) => {
    draws = (draws * 48_271) % 2_147_483_647;
    return draws % bound;
  };
  const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T;

  const store = fixture('all tests', () => database().openStore());
  before(async () => {
    for (const name of ['Acme', 'Other']) {
      const company = createCompanyRow(name, NOW);
      await store.write(({ companies }) => companies.insert(company));
      companyIds.push(company.id);
    }
  });

  it('counts and lists the jobs of each state, whatever became of them and wherever the clock is put', async () => {
    const stored: JobStatus[] = ['DRAFT', 'ACTIVE', 'PAUSED', 'CLOSED'];
    const state = () => {
      const status = oneOf(stored);
      return { status, expiresAt: status === 'DRAFT' ? null : timeAt(below(9)) };
    };
    for (let step = 0; step < 90; step++) {
      const [companyId, now] = [oneOf(companyIds), NOW + below(9) * HOUR_MS];
      const jobs = await store.read.jobs.list({ companyId, limit: 200 });
      await store.write(async (queries) => {
        if (step % 3 === 0) await queries.jobs.insert({ ...createDraft(companyId, {}), ...state() }, now);
        else if (jobs.length > 0) await queries.jobs.replace({ ...oneOf(jobs), ...state() });
      });
      if (step % 10 !== 0) continue;
      assert.equal(await settleExpiry(store, () => now), now);
      const all = { DRAFT: 0, ACTIVE: 0, PAUSED: 0, CLOSED: 0, EXPIRED: 0 };
      for (const one of companyIds) {
        const counts = await store.read.jobs.countByStatus(one);
        const current = (await store.read.jobs.list({ companyId: one, limit: 200 })).map((job) =>
          withExpiry(job, now),
        );
        for (const status of JOB_STATUSES) {
          const ids = current.filter((job) => job.status === status).map(({ id }) => id);
          const listed = await store.read.jobs.list({ companyId: one, status, limit: 200 });
          assert.deepEqual([counts[status], listed.map(({ id }) => id)], [ids.length, ids]);
          all[status] += ids.length;
        }
      }
      assert.deepEqual(await store.read.jobs.countByStatus(), all);
    }
  });

  it('moves more jobs than share a transaction, there and back', async () => {
    const companyId = companyIds[0] as string;
    const expiring = { ...createDraft(companyId, {}), status: 'ACTIVE' as const, expiresAt: timeAt(100) };
    const { id } = await store.write(({ jobs }) => jobs.insert(expiring, NOW));
    await copyJob(await database().tables(), id, 1_099);
    const expired = async (hours: number) => {
      await settleExpiry(store, () => NOW + hours * HOUR_MS);
      return (await store.read.jobs.countByStatus(companyId)).EXPIRED;
    };
    const before = await expired(99);
    assert.equal(await expired(100), before + 1_100);
    assert.equal(await expired(99), before);
  });

  it('holds in the totals of the ledger what the charges hold', async () => {
    const jobs: { id: number; companyId: string }[] = [];
    for (const companyId of [...companyIds, ...companyIds])
      jobs.push(await store.write((queries) => queries.jobs.insert(createDraft(companyId, {}), NOW)));
    for (let made = 0; made < 120; made++) {
      const job = oneOf(jobs);
      const skipped = below(3) === 0;
      await store.write(async (queries) =>
        queries.billingLedger.append({
          application_id: await storeApplication(queries, job.id),
          job_id: job.id,
          company_id: job.companyId,
          decided_at: timeAt(below(24 * 60)),
          outcome: skipped ? 'skipped' : 'charged',
          amount_cents: oneOf([0, 100, 250, Number.MAX_SAFE_INTEGER / 1_000]) | 0,
          filled_target: skipped ? oneOf(['job', 'company'] as const) : null,
          filled_window: skipped ? oneOf(BUDGET_WINDOWS) : null,
        }),
      );
    }
    const charges = (await (
      await database().tables()
    )
      .selectFrom('charges')
      .selectAll()
      .execute()) as ChargeRow[];
    const { billingLedger } = store.read;
    const owners = [
      ...jobs.map(({ id }) => ({ target: 'job', id }) as const),
      ...companyIds.map((id) => ({ target: 'company', id }) as const),
    ];
    for (const now of [NOW, NOW + 500 * HOUR_MS]) {
      const findSpent = await billingLedger.spentCents([...owners, { target: 'job', id: 999_999 }], now);
      for (const owner of owners) {
        for (const window of BUDGET_WINDOWS) {
          const { chargedCents } = await billingLedger.sums(owner, toWindowSpan(window, now));
          assert.equal(findSpent(owner)[window], chargedCents);
        }
      }
      assert.equal(findSpent({ target: 'job', id: 999_999 }).LIFETIME, 0);
    }
    const month = { startsAt: Date.UTC(2026, 3), endsAt: Date.UTC(2026, 4) };
    for (const span of [{ startsAt: 0, endsAt: null }, month]) {
      const within = charges.filter(
        ({ decided_at: at }) =>
          Date.parse(at) >= span.startsAt && (span.endsAt === null || Date.parse(at) < span.endsAt),
      );
      for (const owner of owners) {
        const own = within.filter((charge) =>
          owner.target === 'job' ? Number(charge.job_id) === owner.id : charge.company_id === owner.id,
        );
        assert.deepEqual(await billingLedger.sums(owner, span), sumsOf(own));
        assert.deepEqual(await billingLedger.days(owner, span), daysOf(own));
        for (const window of BUDGET_WINDOWS) {
          const filled = own.filter(
            (charge) => charge.filled_target === owner.target && charge.filled_window === window,
          );
          assert.equal(await billingLedger.countSkipped(owner, window, span), filled.length);
        }
        if (owner.target !== 'company') continue;
        for (const outcome of ['charged', 'skipped'] as const) {
          const asked: Parameters<typeof billingLedger.lines>[0] = {
            companyId: owner.id,
            month: span === month ? '2026-04' : undefined,
            outcome,
          };
          const lines = await billingLedger.lines(asked);
          const { charges: count, skipped } = sumsOf(own);
          const added = lines.reduce((sum, { applications }) => sum + applications, 0);
          assert.equal(added, outcome === 'charged' ? count : skipped);
          const firstId: number | undefined = lines[0]?.jobId;
          const ofFirst = lines.filter(({ jobId }) => jobId === firstId);
          assert.deepEqual(await billingLedger.lines({ ...asked, jobsMax: 1 }), ofFirst);
        }
      }
    }
  });
});

function sumsOf(charges: readonly ChargeRow[]) {
  const ofOutcome = (outcome: ChargeRow['outcome']) => charges.filter((charge) => charge.outcome === outcome);
  const cents = (some: readonly ChargeRow[]) =>
    some.reduce((sum, { amount_cents }) => sum + Number(amount_cents), 0);
  const [charged, skipped] = [ofOutcome('charged'), ofOutcome('skipped')];
  return {
    charges: charged.length,
    chargedCents: cents(charged),
    skipped: skipped.length,
    skippedCents: cents(skipped),
  };
}

function daysOf(charges: readonly ChargeRow[]) {
  const days = [...new Set(charges.map(({ decided_at }) => decided_at.slice(0, 10)))].sort();
  return days.map((day) => ({
    day,
    ...sumsOf(charges.filter(({ decided_at }) => decided_at.startsWith(day))),
  }));
}
