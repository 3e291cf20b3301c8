import assert from 'node:assert/strict';
import { CompiledQuery, type Kysely, type PostgresPoolClient } from 'kysely';
import { Pool } from 'pg';
import { JOB_STATUSES } from '../../../src/contract/values.ts';
import { createStore, type Store } from '../../../src/engine/store/store.ts';
import type { Tables } from '../../../src/engine/store/tables.ts';
import { databaseFor, describeOnEach } from './dialects.ts';
import { openPostgres } from './pglite.ts';
import { describeOnServer, newDatabase, onDatabase, type TestDatabase } from './postgres-server.ts';

const NOW = Date.parse('2026-03-02T09:00:00.000Z');
const COMPANY = 'cmp_3';
const JOBS = 20_000;

/** Most jobs are CLOSED, and a few have many applications. */
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

const OF_COMPANY = { companyId: COMPANY, limit: 51 };
const LATE = { ...OF_COMPANY, beforeId: 10_000 };
const CHARGED = { target: 'company', id: COMPANY } as const;
const DAY = { startsAt: Date.UTC(2026, 2, 2, 9), endsAt: Date.UTC(2026, 2, 3, 9) };

/** The cost of these must not depend on the size of the tables. */
const QUERIES: Readonly<Record<string, (store: Pick<Store, 'read'>) => Promise<unknown>>> = {
  'a job': ({ read }) => read.jobs.find(COMPANY, 4_003),
  "the first page of a company's jobs": ({ read }) => read.jobs.list(OF_COMPANY),
  'a late page of them': ({ read }) => read.jobs.list(LATE),
  ...Object.fromEntries(
    JOB_STATUSES.map((status) => [
      `those that are ${status}`,
      ({ read }: Pick<Store, 'read'>) => read.jobs.list({ ...LATE, status, beforeId: 15_000 }),
    ]),
  ),
  'those of an opportunity': ({ read }) => read.jobs.list({ ...OF_COMPANY, opportunityId: 'OPP-3' }),
  'the jobs that candidates see': ({ read }) => read.openings.list({ limit: 51 }, NOW),
  'a late page of what candidates see': ({ read }) =>
    read.openings.list({ limit: 51, beforeId: 10_000 }, NOW),
  'a job as candidates see it': ({ read }) => read.openings.find(4_003),
  'the jobs whose listed status is out of date': ({ read }) => read.expiry.ends(),
  'the lowest bid': ({ read }) => read.jobs.lowestBid(COMPANY, NOW),
  'a key': ({ read }) => read.keys.findByDigest('c4ca4238a0b923820dcc509a6f75849b'),
  'the applications to a job': ({ read }) => read.applications.list({ ...OF_COMPANY, jobId: 3 }),
  'an application': ({ read }) => read.applications.find(COMPANY, 2_002),
};

/** These tables are so small here that PostgreSQL would prefer a scan. */
const OF_TOTALS: typeof QUERIES = {
  'late jobs of an opportunity in a state': ({ read }) =>
    read.jobs.list({ ...LATE, status: 'CLOSED', opportunityId: 'OPP-3' }),
  "a late page of a company's applications": ({ read }) => read.applications.list(LATE),
  "a company's jobs by state": ({ read }) => read.jobs.countByStatus(COMPANY),
  'what was charged': ({ read }) => read.billingLedger.sums(CHARGED, DAY),
  'what was charged by day': ({ read }) => read.billingLedger.days(CHARGED, DAY),
  'what many jobs spent': ({ read }) =>
    read.billingLedger.spentCents(
      [CHARGED, ...[3, 1_003, 2_003].map((id) => ({ target: 'job', id }) as const)],
      NOW,
    ),
  'the lines of an invoice': ({ read }) =>
    read.billingLedger.lines({ companyId: COMPANY, month: '2026-03', outcome: 'charged', jobsMax: 50 }),
};

/** Matches query plans that read or sort more than they return. Open jobs have a separate index. */
const SLOW =
  /\bSCAN (?!jobs USING INDEX jobs_open|CONSTANT ROW)|TEMP B-TREE|Seq Scan|(?<!Incremental )Sort {2}\(/;

describeOnEach('the store finds by an index, and sorts nothing', (kind) => {
  const database = databaseFor('all tests', kind);
  const queries: CompiledQuery[] = [];
  let db: Kysely<Tables>;
  let store: Store;

  before(async () => {
    // The plugins would run short queries without kysely.
    db = (await database().tables()).withoutPlugins();
    const executor = db.getExecutor();
    const execute = executor.executeQuery.bind(executor);
    executor.executeQuery = (query) => {
      queries.push(query);
      return execute(query);
    };
    store = createStore(db, database().address.dialect);
  });

  for (const [what, run] of Object.entries({ ...QUERIES, ...OF_TOTALS }))
    it(what, async () => {
      queries.length = 0;
      await run(store);
      assert.notEqual(queries.length, 0);
      for (const { sql, parameters } of queries.splice(0)) {
        const plan = await planOf(sql, parameters);
        assert.doesNotMatch(plan, SLOW, `${sql}\n${plan}`);
      }
    });

  async function planOf(sql: string, parameters: readonly unknown[]): Promise<string> {
    const isFile = kind === 'sqlite';
    const rows = await db.transaction().execute(async (transaction) => {
      const run = async (query: string, values: readonly unknown[] = []) =>
        (await transaction.executeQuery(CompiledQuery.raw(query, [...values]))).rows;
      for (const node of isFile ? [] : ['seqscan', 'bitmapscan', 'sort'])
        await run(`set local enable_${node} = off`);
      return run(`${isFile ? 'explain query plan' : 'explain'} ${sql}`, parameters);
    });
    return rows.map((row) => Object.values(row as object).at(-1)).join('\n');
  }
});

const OF_WRITES: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'a job to change': ({ write }) => write(({ jobs }) => jobs.findForChange(COMPANY, 4_003)),
  'a stored answer': ({ write }) =>
    write(({ idempotency }) => idempotency.find(COMPANY, 'key-3', '2026-03-01')),
};

describeOnServer(`of ${JOBS} jobs, PostgreSQL finds by an index, planning anew or once for all`, () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: Store;
  let sent: [sql: string, parameters: readonly unknown[]][];

  before(async () => {
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

  for (const [what, run] of Object.entries({ ...QUERIES, ...OF_WRITES }))
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
