import { JOB_STATUSES, type JobStatus } from '../../contract/values.ts';
import { type DialectName, WIDE_INTEGER } from './connection.ts';

/** A company's jobs are counted in so many rows, so that jobs that are made at once seldom wait for each other. */
const SHARDS = 16;

const WORDS = {
  sqlite: { sum: 'integer', tableEnd: ') without rowid' },
  // A sum of bids may be wider than a bigint.
  postgres: { sum: 'numeric', tableEnd: ')' },
} as const;

const COUNTS = JOB_STATUSES.map((status) => status.toLowerCase());

/**
 * The status that lists look for, the counts of jobs by it, and the totals of the ledger. Triggers keep counts and totals,
 * in the transaction of what they count: reading them costs the same however much there is.
 */
export function statusesAndTotals(dialect: DialectName): string[] {
  const wideInteger = WIDE_INTEGER[dialect];
  const { sum, tableEnd } = WORDS[dialect];
  return [
    `alter table jobs add column listed_status text not null default 'DRAFT'
      check (listed_status in ('DRAFT', 'ACTIVE', 'PAUSED', 'CLOSED', 'EXPIRED'))`,
    `update jobs set listed_status = status where status <> 'DRAFT'`,
    // By -id, and so are the lists ordered: PostgreSQL may walk the ids of all companies for an order by id.
    'drop index jobs_of_company',
    'create index jobs_of_company on jobs (company_id, (-id))',
    'create index jobs_listed on jobs (company_id, listed_status, (-id))',
    'drop index jobs_of_opportunity',
    `create index jobs_of_opportunity on jobs (company_id, opportunity_id, (-id))
      where opportunity_id is not null`,
    `create index jobs_of_opportunity_listed on jobs (company_id, opportunity_id, listed_status, (-id))
      where opportunity_id is not null`,
    `create index jobs_to_expire on jobs (expires_at) where listed_status in ('ACTIVE', 'PAUSED')`,
    `create index jobs_to_revive on jobs (expires_at) where listed_status = 'EXPIRED'`,
    'drop index jobs_published',
    `create index jobs_open on jobs ((-id)) where listed_status = 'ACTIVE'`,
    `create index jobs_open_by_bid on jobs (company_id, bid_cents) where listed_status = 'ACTIVE'`,
    `alter table applications add column company_id text not null default ''`,
    'update applications set company_id = (select company_id from jobs where jobs.id = job_id)',
    'create index applications_of_company on applications (company_id, (-id))',
    'drop index applications_of_job',
    'create index applications_of_job on applications (job_id, (-id))',
    `create table job_counts (
      company_id text not null,
      shard integer not null,
      ${COUNTS.map((count) => `${count} ${wideInteger} not null,`).join('\n')}
      primary key (company_id, shard)
    ${tableEnd}`,
    `insert into job_counts ${countsOf('jobs')}`,
    `create table charge_days (
      target text not null,
      day text not null,
      filled text not null,
      charges ${wideInteger} not null,
      cents ${sum} not null,
      primary key (target, day, filled)
    ${tableEnd}`,
    `insert into charge_days ${daysOf('charges')}`,
    `create table charge_lines (
      company_id text not null,
      month text not null,
      outcome text not null,
      job_id ${wideInteger} not null,
      amount_cents ${wideInteger} not null,
      filled text not null,
      applications ${wideInteger} not null,
      primary key (company_id, month, outcome, job_id, amount_cents, filled)
    ${tableEnd}`,
    `insert into charge_lines ${linesOf('charges')}`,
    'drop index charges_of_job',
    'drop index charges_of_company',
    ...(dialect === 'sqlite' ? sqliteTriggers() : postgresTriggers()),
  ];
}

function sqliteTriggers(): string[] {
  const is = (row: 'new' | 'old') => (status: JobStatus) => `(${row}.listed_status = '${status}')`;
  const [isNew, wasOld] = [is('new'), is('old')];
  const moved = JOB_STATUSES.map((status, index) => {
    const count = COUNTS[index];
    return `${count} = ${count} + ${isNew(status)} - ${wasOld(status)}`;
  });
  return [
    `create trigger jobs_counted after insert on jobs begin
      insert into job_counts values (new.company_id, new.id % ${SHARDS}, ${JOB_STATUSES.map(isNew).join(', ')})
      ${addedTo('job_counts', ['company_id', 'shard'], COUNTS)};
    end`,
    `create trigger jobs_recounted after update of listed_status on jobs
      when new.listed_status <> old.listed_status begin
      update job_counts set ${moved.join(', ')} where company_id = new.company_id and shard = new.id % ${SHARDS};
    end`,
    `create trigger charges_totalled after insert on charges begin
      insert into charge_days values
        ('job:' || new.job_id, substr(new.decided_at, 1, 10), ${filledIn('new')}, 1, new.amount_cents),
        ('company:' || new.company_id, substr(new.decided_at, 1, 10), ${filledIn('new')}, 1, new.amount_cents)
      ${DAYS_ADDED};
      insert into charge_lines values (new.company_id, substr(new.decided_at, 1, 7), new.outcome, new.job_id,
        new.amount_cents, ${filledIn('new')}, 1)
      ${LINES_ADDED};
    end`,
  ];
}

/** Once a statement, in the order of the keys: rows one by one take longer the more there are, and might deadlock. */
function postgresTriggers(): string[] {
  const trigger = (name: string, event: string, work: string) => [
    `create function ${name}() returns trigger language plpgsql as $$ begin ${work} return null; end $$`,
    `create trigger ${name} after ${event} for each statement execute function ${name}()`,
  ];
  const counted = addedTo('job_counts', ['company_id', 'shard'], COUNTS);
  return [
    ...trigger(
      'jobs_counted',
      'insert on jobs referencing new table as added',
      `insert into job_counts ${countsOf('added')} order by 1, 2 ${counted};`,
    ),
    ...trigger(
      'jobs_recounted',
      'update on jobs referencing old table as gone new table as added',
      `insert into job_counts
        select added.company_id, added.id % ${SHARDS}, ${JOB_STATUSES.map(
          (status) =>
            `sum((added.listed_status = '${status}')::integer - (gone.listed_status = '${status}')::integer)`,
        ).join(', ')}
        from added join gone on gone.id = added.id where added.listed_status <> gone.listed_status
        group by 1, 2 order by 1, 2 ${counted};`,
    ),
    ...trigger(
      'charges_totalled',
      'insert on charges referencing new table as added',
      `insert into charge_days ${daysOf('added')} order by 1, 2, 3 ${DAYS_ADDED};
      insert into charge_lines ${linesOf('added')} order by 1, 2, 3, 4, 5, 6 ${LINES_ADDED};`,
    ),
  ];
}

function countsOf(jobs: string): string {
  const counts = JOB_STATUSES.map((status) => `sum(case when listed_status = '${status}' then 1 else 0 end)`);
  return `select company_id, id % ${SHARDS}, ${counts.join(', ')} from ${jobs} group by 1, 2`;
}

function daysOf(charges: string): string {
  const targets = [`'job:' || job_id`, `'company:' || company_id`].map(
    (target) => `select ${target} as target, substr(decided_at, 1, 10) as day, ${filledIn(charges)} as filled,
      amount_cents from ${charges}`,
  );
  // A float in SQLite, exact up to 2^53: a sum of its integers fails where it overflows.
  return `select target, day, filled, count(*), sum(amount_cents * 1.0)
    from (${targets.join(' union all ')}) targets group by 1, 2, 3`;
}

function linesOf(charges: string): string {
  return `select company_id, substr(decided_at, 1, 7), outcome, job_id, amount_cents, ${filledIn(charges)}, count(*)
    from ${charges} group by 1, 2, 3, 4, 5, 6`;
}

/** As `job:DAILY`; empty where no window was filled. */
function filledIn(charge: string): string {
  return `coalesce(${charge}.filled_target || ':' || ${charge}.filled_window, '')`;
}

const DAYS_ADDED = addedTo('charge_days', ['target', 'day', 'filled'], ['charges', 'cents']);
const LINES_ADDED = addedTo(
  'charge_lines',
  ['company_id', 'month', 'outcome', 'job_id', 'amount_cents', 'filled'],
  ['applications'],
);

function addedTo(table: string, key: readonly string[], counts: readonly string[]): string {
  const sums = counts.map((count) => `${count} = ${table}.${count} + excluded.${count}`);
  return `on conflict (${key.join(', ')}) do update set ${sums.join(', ')}`;
}
