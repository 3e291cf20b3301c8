import { type Kysely, sql } from 'kysely';
import { readEmail, UNSEEN } from '../../contract/application.ts';
import { type DialectName, directServerOf, WIDE_INTEGER } from './connection.ts';
import type { Tables } from './tables.ts';
import { statusesAndTotals } from './totals-tables.ts';

interface Migration {
  readonly statements: (dialect: DialectName) => readonly string[];
  readonly rewrite?: (db: Kysely<Tables>) => Promise<void>;
}

const DIALECT_WORDS = {
  sqlite: { countedId: 'integer primary key autoincrement', wideInteger: WIDE_INTEGER.sqlite },
  postgres: {
    countedId: 'bigint generated always as identity primary key',
    wideInteger: WIDE_INTEGER.postgres,
  },
} as const;

/** The first one makes version 1. A step that has been released is never changed: a new one follows it. */
export const MIGRATIONS: readonly Migration[] = [
  { statements: firstTables },
  { statements: applicationsAndMoney },
  { statements: sendersOfFiles, rewrite: normaliseEmailKeys },
  { statements: contentsOfFiles },
  { statements: statusesAndTotals },
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** Why this release refuses a database. */
export function newerRelease(version: number | undefined): string {
  return `a newer release made it (schema ${version}, here ${SCHEMA_VERSION})`;
}

/** Brings a database to `SCHEMA_VERSION` in one transaction; leaves a newer one alone. */
export async function migrate(db: Kysely<Tables>, dialect: DialectName): Promise<void> {
  if (((await schemaVersion(db, dialect)) ?? 0) >= SCHEMA_VERSION) return;
  const server = directServerOf(db);
  if (server !== undefined) await server.transact(({ db: transaction }) => migrateOnServer(transaction));
  else await db.transaction().execute((transaction) => migrateFile(transaction));
}

async function migrateFile(db: Kysely<Tables>): Promise<void> {
  const version = (await schemaVersion(db, 'sqlite')) ?? 0;
  if (version >= SCHEMA_VERSION) return;
  await runSince(version, db, 'sqlite');
  await sql`pragma user_version = ${sql.lit(SCHEMA_VERSION)}`.execute(db);
}

async function migrateOnServer(db: Kysely<Tables>): Promise<void> {
  // Two processes must not migrate one database at the same time, and the second must see what the first has done.
  await sql`set transaction isolation level read committed`.execute(db);
  await sql`select pg_advisory_xact_lock(hashtext('schema_version'))`.execute(db);
  const version = await schemaVersion(db, 'postgres');
  if (version === undefined) await sql`create table schema_version (version integer not null)`.execute(db);
  if ((version ?? 0) >= SCHEMA_VERSION) return;
  await runSince(version ?? 0, db, 'postgres');
  await sql`delete from schema_version`.execute(db);
  await sql`insert into schema_version (version) values (${SCHEMA_VERSION})`.execute(db);
}

async function runSince(version: number, db: Kysely<Tables>, dialect: DialectName): Promise<void> {
  for (const { statements, rewrite } of MIGRATIONS.slice(version)) {
    for (const statement of statements(dialect)) await sql.raw(statement).execute(db);
    await rewrite?.(db);
  }
}

/** The version that a database has now: undefined where no version is kept, NaN where another program keeps one. */
export async function schemaVersion(db: Kysely<Tables>, dialect: DialectName): Promise<number | undefined> {
  type Row = { readonly version: number };
  if (dialect === 'sqlite') {
    const { rows } = await sql<Row>`select user_version as version from pragma_user_version`.execute(db);
    return rows[0]?.version;
  }
  // Not `to_regclass`, which may know less than other processes have committed.
  const { rows: tables } = await sql`select from pg_tables
    where tablename = 'schema_version' and schemaname = any(current_schemas(false))`.execute(db);
  if (tables.length === 0) return undefined;
  const { rows } = await sql<Row>`select * from schema_version limit 1`.execute(db);
  return Object.keys(rows[0] ?? {}).join() === 'version' ? Number(rows[0]?.version) : Number.NaN;
}

function firstTables(dialect: DialectName): string[] {
  const { countedId, wideInteger } = DIALECT_WORDS[dialect];
  return [
    `create table companies (
      id text primary key,
      name text not null,
      is_default integer unique,
      terms_version_accepted text,
      card_brand text,
      card_last4 text,
      created_at text not null
    )`,
    `create table partner_keys (
      id text primary key,
      company_id text not null references companies (id),
      digest text not null unique,
      last4 text not null,
      created_at text not null,
      revoked_at text
    )`,
    `create table jobs (
      id ${countedId},
      company_id text not null references companies (id),
      status text not null check (status in ('DRAFT', 'ACTIVE', 'PAUSED', 'CLOSED')),
      title text not null,
      description text not null,
      remote_option text,
      remote_country text,
      job_type text,
      job_level text,
      salary_min ${wideInteger},
      salary_max ${wideInteger},
      salary_period text,
      bid_cents ${wideInteger},
      opportunity_id text,
      ats_job_url text,
      locations text not null,
      qualifications text not null,
      questions text not null,
      budgets text not null,
      created_at text not null,
      published_at text,
      expires_at text,
      closed_at text,
      opened_at text
    )`,
    'create index jobs_of_company on jobs (company_id, id)',
    `create index jobs_of_opportunity on jobs (company_id, opportunity_id, id)
      where opportunity_id is not null`,
    `create table applications (
      id ${countedId},
      job_id ${wideInteger} not null references jobs (id),
      status text not null check (status in ('pending', 'accepted', 'rejected')),
      received_at text not null
    )`,
    'create index applications_of_job on applications (job_id, status, received_at)',
    `create table idempotency (
      company_id text not null references companies (id),
      key text not null,
      request_digest text not null,
      answer_status integer not null,
      answer_body text not null,
      stored_at text not null,
      primary key (company_id, key)
    )`,
    'create index idempotency_by_age on idempotency (stored_at)',
  ];
}

function applicationsAndMoney(dialect: DialectName): string[] {
  const { countedId, wideInteger } = DIALECT_WORDS[dialect];
  return [
    `alter table companies add column budgets text not null default '[]'`,
    `alter table applications add column basics text not null default '{}'`,
    'alter table applications add column email_key text',
    `alter table applications add column answers text not null default '[]'`,
    `alter table applications add column met text not null default '[]'`,
    'alter table applications add column is_qualified integer not null default 0',
    'alter table applications add column decided_at text',
    'drop index applications_of_job',
    'create index applications_of_job on applications (job_id, id)',
    'create unique index applicants_of_job on applications (job_id, email_key) where email_key is not null',
    `create table job_tallies (
      job_id ${wideInteger} primary key references jobs (id),
      pending ${wideInteger} not null,
      accepted ${wideInteger} not null,
      rejected ${wideInteger} not null,
      unseen ${wideInteger} not null
    )`,
    `insert into job_tallies (job_id, pending, accepted, rejected, unseen)
      select job_id,
        sum(case when applications.status = 'pending' then 1 else 0 end),
        sum(case when applications.status = 'accepted' then 1 else 0 end),
        sum(case when applications.status = 'rejected' then 1 else 0 end),
        sum(case when received_at > coalesce(opened_at, '') then 1 else 0 end)
      from applications join jobs on jobs.id = applications.job_id group by job_id`,
    'alter table jobs drop column opened_at',
    `create table files (
      id text primary key,
      digest text not null,
      name text not null,
      type text not null,
      bytes integer not null,
      uploaded_at text not null,
      claimed_at text
    )`,
    'create index files_of_digest on files (digest)',
    'create index files_unclaimed on files (uploaded_at) where claimed_at is null',
    'create table spends (target text primary key, spend text not null)',
    `create table charges (
      id ${countedId},
      application_id ${wideInteger} not null unique references applications (id),
      job_id ${wideInteger} not null references jobs (id),
      company_id text not null references companies (id),
      decided_at text not null,
      outcome text not null check (outcome in ('charged', 'skipped')),
      amount_cents ${wideInteger} not null,
      filled_target text,
      filled_window text
    )`,
    'create index charges_of_job on charges (job_id, decided_at)',
    'create index charges_of_company on charges (company_id, decided_at)',
    ...appendOnly(dialect, 'charges'),
    `create table terms (
      id ${countedId},
      version text not null unique,
      text text not null,
      issued_at text not null
    )`,
    `create table engine_clock (id integer primary key check (id = 1), offset_ms ${wideInteger} not null)`,
    `create table dashboard_links (
      digest text primary key,
      company_id text not null references companies (id),
      expires_at text not null,
      used_at text
    )`,
    `create table dashboard_sessions (
      digest text primary key,
      company_id text not null references companies (id),
      expires_at text not null
    )`,
    `create index jobs_published on jobs (id) where status = 'ACTIVE'`,
  ];
}

function sendersOfFiles(): string[] {
  return [
    'alter table files add column sender text',
    'create index files_of_sender on files (sender, bytes, uploaded_at) where sender is not null',
  ];
}

function contentsOfFiles(dialect: DialectName): string[] {
  if (dialect === 'sqlite') return [];
  return ['create table file_contents (digest text primary key, content bytea not null)'];
}

const REWRITTEN_AT_ONCE = 1_000;

/**
 * Puts the keys of applicants into the form of `readEmail`. Where two applicants of a job turn out to be one, one of
 * them keeps the key. What is no address stays as it is.
 */
async function normaliseEmailKeys(db: Kysely<Tables>): Promise<void> {
  const keys = () => db.selectFrom('applications').select(['id', 'job_id', 'email_key']);
  for (let lastId = 0; ; ) {
    const rows = await keys().where('id', '>', lastId).orderBy('id').limit(REWRITTEN_AT_ONCE).execute();
    if (rows.length === 0) return;
    for (const { id, job_id: jobId, email_key: key } of rows) {
      lastId = Number(id);
      const read = key === null ? undefined : readEmail(key.replace(UNSEEN, ''));
      if (read === undefined || 'fault' in read || read.address === key) continue;
      const { address } = read;
      const holder = await keys()
        .where('job_id', '=', jobId)
        .where('email_key', '=', address)
        .executeTakeFirst();
      const email_key = holder === undefined ? address : null;
      await db.updateTable('applications').set({ email_key }).where('id', '=', id).execute();
    }
  }
}

function appendOnly(dialect: DialectName, table: string): string[] {
  const refusal = `${table}: rows are never changed`;
  if (dialect === 'sqlite') {
    return [
      `create trigger ${table}_append_only before update on ${table}
        begin select raise(abort, '${refusal}'); end`,
    ];
  }
  return [
    `create function ${table}_append_only() returns trigger language plpgsql
      as 'begin raise exception ''${refusal}''; end'`,
    `create trigger ${table}_append_only before update on ${table}
      for each row execute function ${table}_append_only()`,
  ];
}
