import Libsql from 'libsql';
import { Client } from 'pg';
import { openEngine } from '../src/engine/open.ts';
import type { DatabaseAddress } from '../src/engine/store/address.ts';
import { PLACES_PATH, post } from './calls.ts';
import { resolvedListing } from './listings.ts';

export interface StoreSize {
  readonly jobs: number;
  readonly applications: number;
  /** Number of charged applications. */
  readonly charges: number;
}

export interface LargeStore {
  readonly companyId: string;
  readonly key: string;
  /** First and last job ID by status. The jobs of a status have consecutive IDs. */
  readonly ids: Readonly<Record<Status, readonly [number, number]>>;
}

/** In order of ID. A query that filters by status only after reading the newest jobs would read almost all of them. */
const SHARES = [
  ['CLOSED', 0.45],
  ['EXPIRED', 0.25],
  ['PAUSED', 0.05],
  ['ACTIVE', 0.15],
  ['DRAFT', 0.1],
] as const;
type Status = (typeof SHARES)[number][0];

const DAY_MS = 24 * 60 * 60 * 1000;
/** One of this many jobs belongs to the other company. */
const OTHERS_EVERY = 20;
const APPLICATIONS_A_JOB = 100;

/** Fills an empty database with jobs and charges. Nearly all belong to one company. */
export async function fillStore(database: DatabaseAddress, size: StoreSize): Promise<LargeStore> {
  const engine = await openEngine({ database, placesPath: PLACES_PATH });
  const companies = [];
  for (const name of ['Bench', 'Other']) {
    const { id } = await engine.operator.companies.create(name);
    const { key } = await engine.operator.keys.create(id);
    await engine.operator.dashboard.acceptTerms(id);
    await engine.operator.dashboard.addCard(id);
    await engine.operator.dashboard.setBudgets(id, () => [{ window: 'MONTHLY', budgetCents: 1e15 }]);
    companies.push({ id, key });
  }
  const [{ id: companyId, key } = { id: '', key: '' }, other] = companies;
  const listing = { ...resolvedListing(1), budgets: [{ window: 'LIFETIME', budgetCents: 1e15 }] };
  const template = await post(engine.fetch, '/v1/jobs', { ...listing, publish: true }, key);
  await engine.close();

  const run = await connect(database);
  const names = Object.keys((await run.rows('select * from jobs'))[0] ?? {}).filter((name) => name !== 'id');
  const ids = {} as Record<Status, readonly [number, number]>;
  let next = Number(template.id) + 1;
  for (const [status, share] of SHARES) {
    const count = Math.round(size.jobs * share);
    ids[status] = [next, next + count - 1];
    next += count;
    const stored: Record<string, string> = {
      company_id: `case when i % ${OTHERS_EVERY} = 0 then '${other?.id}' else '${companyId}' end`,
      status: status === 'EXPIRED' ? `'ACTIVE'` : `'${status}'`,
      listed_status: `'${status}'`,
      expires_at: status === 'DRAFT' ? 'null' : oneOf(29, status === 'EXPIRED' ? -1 : 1),
      closed_at: status === 'CLOSED' ? oneOf(29, -1) : 'null',
      opportunity_id: `'REQ-' || (i % 10)`,
    };
    await run.all(
      `insert into jobs (${names.join(', ')}) ${series(count)}
        select ${names.map((name) => stored[name] ?? `t.${name}`).join(', ')} from series, jobs t where t.id = ${template.id}`,
    );
  }
  await fillLedger(run, { companyId, firstJob: ids.ACTIVE[0], size });
  await run.close();
  return { companyId, key, ids };
}

/** Adds this month's applications to the first ACTIVE jobs. */
async function fillLedger(
  run: Run,
  { companyId, firstJob, size }: { companyId: string; firstJob: number; size: StoreSize },
): Promise<void> {
  const jobs = Math.ceil(size.applications / APPLICATIONS_A_JOB);
  await run.all(
    `insert into applications (job_id, status, received_at, basics, answers, met, is_qualified) ${series(size.applications)}
      select ${firstJob} + i % ${jobs}, 'pending', ${oneOf(new Date().getUTCDate() - 1, -1)},
        '{"firstName":"Ada","lastName":"Lovelace","email":"ada@example.com","phone":"1","location":"Austin","resume":"x"}',
        '[]', '[]', 1 from series`,
  );
  await run.all(`insert into job_tallies select job_id, count(*), 0, 0, 0 from applications group by job_id`);
  await run.all(
    `insert into charges (application_id, job_id, company_id, decided_at, outcome, amount_cents)
      select id, job_id, '${companyId}', received_at, 'charged', 500 from applications
      order by id limit ${size.charges}`,
  );
}

function series(count: number): string {
  return `with recursive series(i) as (select 1 union all select i + 1 from series where i < ${count})`;
}

/** Returns SQL for a time up to `days` days in the past (`sign` is -1) or in the future. */
function oneOf(days: number, sign: 1 | -1): string {
  const times = Array.from(
    { length: days + 1 },
    (_, day) =>
      `when ${day} then '${new Date(Date.now() + sign * (day * DAY_MS + 60 * 60_000)).toISOString()}'`,
  );
  return `case i % ${days + 1} ${times.join(' ')} end`;
}

type Run = Awaited<ReturnType<typeof connect>>;

async function connect(database: DatabaseAddress) {
  if (database.dialect === 'sqlite') {
    const file = new Libsql(database.path);
    return {
      rows: async (query: string) => file.prepare(query).all() as Record<string, unknown>[],
      all: async (statement: string) => void file.exec(statement),
      async close() {
        file.exec('pragma wal_checkpoint(truncate)');
        file.close();
      },
    };
  }
  const client = new Client({ connectionString: database.url });
  await client.connect();
  return {
    rows: async (query: string) => (await client.query<Record<string, unknown>>(query)).rows,
    all: async (statement: string) => void (await client.query(statement)),
    async close() {
      // PostgreSQL does this in the background, but only after a while.
      await client.query('vacuum analyze');
      await client.end();
    },
  };
}
