import assert from 'node:assert/strict';
import Libsql from 'libsql';
import { MIGRATIONS } from '../../../src/engine/store/migrations.ts';
import { openSqliteStore } from '../../../src/engine/store/sqlite.ts';
import { APPLICATION_ID } from '../../../src/engine/store/sqlite-file.ts';
import { settleExpiry } from '../../../src/engine/store/store.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import older from './older.json' with { type: 'json' };

const TIME = '2026-03-02T09:00:00.000Z';

describe('a database of an older release', () => {
  const path = temporaryDirectory();

  /** A database of the release with N migrations, with one company and one job. */
  function databaseAt(databasePath: string, migrations: number, status: string): Libsql.Database {
    const file = new Libsql(databasePath);
    file.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = ${migrations}`);
    for (const { statements } of MIGRATIONS.slice(0, migrations)) {
      for (const statement of statements('sqlite')) file.exec(statement);
    }
    file.exec(`insert into companies (id, name, created_at) values ('cmp_1', 'Acme', '${TIME}');
      insert into jobs (company_id, status, title, description, locations, qualifications, questions, budgets,
        created_at) values ('cmp_1', '${status}', 'Welder', '', '[]', '[]', '[]', '[]', '${TIME}')`);
    return file;
  }

  it('keeps its companies, jobs and applications, counted as before', async () => {
    const databasePath = path('first.db');
    const file = databaseAt(databasePath, 1, 'DRAFT');
    file.exec(`update jobs set opened_at = '${TIME}'`);
    for (const [status, receivedAt] of older.applications)
      file.exec(
        `insert into applications (job_id, status, received_at) values (1, '${status}', '${receivedAt}')`,
      );
    file.close();

    const store = await openSqliteStore(databasePath);
    const job = await store.read.jobs.find('cmp_1', 1);
    assert.equal(job?.title, 'Welder');
    assert.deepEqual(job?.applicationCounts, { pending: 2, accepted: 1, rejected: 0 });
    assert.equal(job?.isFrozen, true);
    assert.equal(job?.newApplicantCount, 2);
    assert.equal((await store.read.companies.find('cmp_1'))?.budgets, '[]');
    const listed = await store.read.applications.list({ companyId: 'cmp_1', limit: 10 });
    const actual = listed.map(({ id, status }) => [id, status]);
    assert.deepEqual(actual, older.listed);
    await store.close();
  });

  it('finds its jobs by state, and its charges in its totals', async () => {
    const databasePath = path('third.db');
    const file = databaseAt(databasePath, 3, 'ACTIVE');
    file.exec(`update jobs set expires_at = '2026-04-01T09:00:00.000Z', bid_cents = 700`);
    for (const [outcome, month, filled] of older.charges)
      file.exec(`insert into applications (job_id, status, received_at) values (1, 'pending', '${TIME}');
        insert into charges (application_id, job_id, company_id, decided_at, outcome, amount_cents, filled_target,
          filled_window) values (last_insert_rowid(), 1, 'cmp_1', '2026-${month}-02T09:00:00.000Z', '${outcome}', 700,
          ${filled})`);
    file.close();

    const store = await openSqliteStore(databasePath);
    const { jobs, billingLedger, applications } = store.read;
    const states = async (time: string) => {
      await settleExpiry(store, () => Date.parse(time));
      const { ACTIVE, EXPIRED } = await jobs.countByStatus('cmp_1');
      const expired = await jobs.list({ companyId: 'cmp_1', status: 'EXPIRED', limit: 9 });
      return [ACTIVE, EXPIRED, expired.length];
    };
    assert.deepEqual(await states(TIME), [1, 0, 0]);
    assert.deepEqual(await states('2026-04-01T09:00:00.000Z'), [0, 1, 1]);
    const company = { target: 'company', id: 'cmp_1' } as const;
    const sums = { charges: 2, chargedCents: 1400, skipped: 1, skippedCents: 700 };
    assert.deepEqual(await billingLedger.sums(company, { startsAt: 0, endsAt: null }), sums);
    assert.deepEqual(await billingLedger.sums({ target: 'job', id: 1 }, { startsAt: 0, endsAt: null }), sums);
    const april = { startsAt: Date.UTC(2026, 3), endsAt: Date.UTC(2026, 4) };
    assert.equal(await billingLedger.countSkipped(company, 'DAILY', april), 1);
    assert.equal((await applications.list({ companyId: 'cmp_1', limit: 9 })).length, 3);
    await store.close();
  });

  it('knows its applicants again by every spelling of their addresses, and charges nobody twice', async () => {
    const databasePath = path('second.db');
    const file = databaseAt(databasePath, 2, 'ACTIVE');
    const insert = file.prepare(
      'insert into applications (job_id, status, received_at, email_key) values (1, ?, ?, ?)',
    );
    for (const key of older.addresses) insert.run('pending', TIME, key);
    file.close();

    await (await openSqliteStore(databasePath)).close();
    const migrated = new Libsql(databasePath);
    const rows = migrated.prepare('select email_key from applications order by id').all() as {
      email_key: string | null;
    }[];
    migrated.close();
    const emailKeys = rows.map(({ email_key }) => email_key);
    const expected = ['ada@example.com', null, 'zo\u00eb@xn--mller-kva.example', 'no address', null];
    assert.deepEqual(emailKeys, expected);
  });
});
