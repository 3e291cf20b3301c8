import { readFileSync } from 'node:fs';
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
  { statements: (dialect) => statementsIn('001-first-tables', dialect) },
  {
    statements: (dialect) => [
      ...statementsIn('002-applications-and-money', dialect),
      ...appendOnly(dialect, 'charges'),
    ],
  },
  { statements: (dialect) => statementsIn('003-senders-of-files', dialect), rewrite: normaliseEmailKeys },
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

/** The statements of a file of SQL, with the dialect's words in place of each `{name}`. */
function statementsIn(name: string, dialect: DialectName): string[] {
  const words: Readonly<Record<string, string>> = DIALECT_WORDS[dialect];
  return readFileSync(new URL(`./migrations/${name}.sql`, import.meta.url), 'utf8')
    .replace(/\{(\w+)\}/g, (whole, word: string) => words[word] ?? whole)
    .split(/;\n/)
    .filter((statement) => statement !== '');
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
