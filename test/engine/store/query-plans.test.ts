import assert from 'node:assert/strict';
import type { PostgresPoolClient } from 'kysely';
import { Pool } from 'pg';
import { JOB_STATUSES } from '../../../src/contract/values.ts';
import { openPostgres } from '../../../src/engine/store/postgres.ts';
import { createStore, type Store } from '../../../src/engine/store/store.ts';
import { describeOnServer, newDatabase, onDatabase, type TestDatabase } from './postgres-server.ts';

const NOW = Date.parse('2026-03-02T09:00:00.000Z');
const COMPANY = 'cmp_3';
const JOBS = 20_000;

/** Four companies with their jobs, most of them CLOSED; a key and a stored answer for each; many applications to a few. */
const CONTENT = `
  insert into companies (id, name, created_at) select 'cmp_' || n, 'Acme', '2026-01-01' from generate_series(0, 3) n;
  insert into jobs (company_id, status, listed_status, title, description, bid_cents, opportunity_id, locations,
      qualifications, questions, budgets, created_at, expires_at)
    select 'cmp_' || n % 4, replace(listed, 'EXPIRED', 'ACTIVE'), listed, 'Welder', repeat('We weld. ', 50), 500,
      'OPP-' || n % 5000, '[]', '[]', '[]', '[]', '2026-01-01', '2026-0' || case listed when 'EXPIRED' then 1 else 4 end
        || '-' || 10 + n % 20
    from (select n, case n / 4 % 10 when 0 then 'ACTIVE' when 1 then 'PAUSED' when 2 then 'DRAFT' when 3 then 'EXPIRED'
      else 'CLOSED' end as listed from generate_series(1, ${JOBS}) n) jobs;
  insert into job_tallies select id, 1, 0, 0, 0 from jobs;
  insert into partner_keys (id, company_id, digest, last4, created_at)
    select 'key_' || n, 'cmp_' || n % 4, md5(n::text), '1234', '2026-01-01' from generate_series(1, ${JOBS}) n;
  insert into idempotency select 'cmp_' || n % 4, 'key-' || n, 'digest', 201, '{}', '2026-03-02'
    from generate_series(1, ${JOBS}) n;
  insert into applications (job_id, status, received_at, email_key) select n % 20 * 1000 + 3, 'pending', '2026-03-01', n::text
    from generate_series(1, ${JOBS}) n;
  insert into charges (application_id, job_id, company_id, decided_at, outcome, amount_cents)
    select id, job_id, 'cmp_' || job_id % 4, '2026-03-01', 'charged', 500 from applications;
  analyze`;

/** What must not depend on how much there is. */
const QUERIES: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'a job': ({ read }) => read.jobs.find(COMPANY, 4_003),
  'a job to change': ({ write }) => write(({ jobs }) => jobs.findForChange(COMPANY, 4_003)),
  "the first page of a company's jobs": ({ read }) => read.jobs.list({ companyId: COMPANY, limit: 51 }),
  'a late page of them': ({ read }) => read.jobs.list({ companyId: COMPANY, limit: 51, beforeId: 10_000 }),
  ...Object.fromEntries(
    JOB_STATUSES.map((status) => [
      `those that are ${status}`,
      ({ read }: Store) => read.jobs.list({ companyId: COMPANY, status, limit: 51, beforeId: 15_000 }),
    ]),
  ),
  'those of an opportunity': ({ read }) =>
    read.jobs.list({ companyId: COMPANY, opportunityId: 'OPP-3', limit: 51 }),
  'the jobs that candidates see': ({ read }) => read.openings.list({ limit: 51 }, NOW),
  'a late page of what candidates see': ({ read }) =>
    read.openings.list({ limit: 51, beforeId: 10_000 }, NOW),
  'a job as candidates see it': ({ read }) => read.openings.find(4_003),
  'the jobs whose listed status is out of date': ({ read }) => read.expiry.ends(),
  'the lowest bid': ({ read }) => read.jobs.lowestBid(COMPANY, NOW),
  'a key': ({ read }) => read.keys.findByDigest('c4ca4238a0b923820dcc509a6f75849b'),
  'a stored answer': ({ write }) =>
    write(({ idempotency }) => idempotency.find(COMPANY, 'key-3', '2026-03-01')),
  'the applications to a job': ({ read }) =>
    read.applications.list({ companyId: COMPANY, jobId: 3, limit: 51 }),
  'an application': ({ read }) => read.applications.find(COMPANY, 2_002),
};

describeOnServer(`of ${JOBS} jobs, PostgreSQL finds by an index, planning anew or once for all`, () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: Store;
  let sent: [sql: string, parameters: readonly unknown[]][];

  before(async function () {
    this.timeout(60_000);
    database = await newDatabase();
    pool = new Pool({ connectionString: database.url, pipeline: true });
    const db = await openPostgres({
      async connect() {
        const client = await pool.connect();
        const query = (sql: string, parameters: readonly unknown[]) => {
          sent?.push([sql, parameters]);
          return client.query(sql, [...parameters]);
        };
        return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release() };
      },
      end: () => pool.end(),
    });
    store = createStore(db, 'postgres');
    await onDatabase(database.url, CONTENT);
  });
  after(async () => {
    await store.close();
    await database.drop();
  });

  for (const [what, run] of Object.entries(QUERIES)) {
    it(what, async () => {
      sent = [];
      await run(store);
      const queries = sent.filter(([sql]) => /^(?:select|with)\b.*\bfrom\b/.test(sql));
      assert.notEqual(queries.length, 0);
      for (const [sql, parameters] of queries) {
        for (const plan of await plansOf(sql, parameters)) {
          assert.match(plan, /Index/);
          assert.doesNotMatch(plan, /Seq Scan on (?!companies)|Sort/, sql + plan);
        }
      }
    });
  }

  async function plansOf(sql: string, parameters: readonly unknown[]): Promise<string[]> {
    const client = await pool.connect();
    const values = parameters.map((value) => client.escapeLiteral(String(value))).join(', ');
    const plans: string[] = [];
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`set plan_cache_mode = ${mode}; prepare asked as ${sql}`);
      const explain = `explain (costs off) execute asked${values === '' ? '' : `(${values})`}`;
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(explain);
      plans.push([mode, ...rows.map((row) => row['QUERY PLAN'])].join('\n'));
      await client.query('deallocate asked; reset plan_cache_mode');
    }
    client.release();
    return plans;
  }
});
