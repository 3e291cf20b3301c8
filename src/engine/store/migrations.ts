import { existsSync, readFileSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { readEmail, UNSEEN } from '../../contract/application.ts';
import { PartnerError } from '../../contract/errors.ts';
import { type DialectName, getDirectServer } from './connection.ts';
import dialectWords from './dialect-words.json' with { type: 'json' };
import type { Tables } from './tables.ts';

interface Migration {
  readonly statements: (dialect: DialectName) => readonly string[];
  readonly rewrite?: (db: Kysely<Tables>) => Promise<void>;
}

/** Splits a migration file into statements. Within a statement, every line after the first is indented. */
const NEXT_STATEMENT = /;\n(?!\s)/;

/** The first migration creates version 1. Don't change a released migration. Add another one instead. */
export const MIGRATIONS: readonly Migration[] = [
  { statements: loadStatements('001-first-tables') },
  { statements: loadStatements('002-applications-and-money') },
  { statements: loadStatements('003-senders-of-files'), rewrite: normaliseEmailKeys },
  { statements: loadStatements('004-contents-of-files') },
  { statements: loadStatements('005-statuses-and-totals') },
  { statements: loadStatements('006-names-and-uses-of-keys') },
];

export const SCHEMA_VERSION = MIGRATIONS.length;

export function newerRelease(version: number | undefined): string {
  return `it was created by a newer release (schema ${version}, this release has ${SCHEMA_VERSION})`;
}

export function createOutdatedError(name: string, version: number): PartnerError {
  const found = version === 0 ? 'no schema yet' : `schema ${version}, but this release has ${SCHEMA_VERSION}`;
  return new PartnerError('DATABASE_OUTDATED', { message: `the database ${name} has ${found}` });
}

export async function migrate(db: Kysely<Tables>, dialect: DialectName): Promise<void> {
  if (((await schemaVersion(db, dialect)) ?? 0) >= SCHEMA_VERSION) return;
  const server = getDirectServer(db);
  if (server !== undefined) await server.transact((transaction) => runMigrations(transaction.db, dialect));
  else await db.transaction().execute((transaction) => runMigrations(transaction, dialect));
}

async function runMigrations(db: Kysely<Tables>, dialect: DialectName): Promise<void> {
  if (dialect === 'postgres') {
    // The lock allows one migration at a time. READ COMMITTED shows the next process what the first one changed.
    await sql`set transaction isolation level read committed`.execute(db);
    await sql`select pg_advisory_xact_lock(hashtext('schema_version'))`.execute(db);
  }
  const version = await schemaVersion(db, dialect);
  if (version === undefined) await sql`create table schema_version (version integer not null)`.execute(db);
  if ((version ?? 0) >= SCHEMA_VERSION) return;
  for (const { statements, rewrite } of MIGRATIONS.slice(version)) {
    for (const statement of statements(dialect)) await sql.raw(statement).execute(db);
    await rewrite?.(db);
  }
  if (dialect === 'sqlite') await sql`pragma user_version = ${sql.lit(SCHEMA_VERSION)}`.execute(db);
  else {
    await sql`delete from schema_version`.execute(db);
    await sql`insert into schema_version (version) values (${SCHEMA_VERSION})`.execute(db);
  }
}

/** Undefined if the database stores no version. NaN if its `schema_version` table belongs to another program. */
export async function schemaVersion(db: Kysely<Tables>, dialect: DialectName): Promise<number | undefined> {
  type Row = { readonly version: number };
  if (dialect === 'sqlite') {
    const { rows } = await sql<Row>`select user_version as version from pragma_user_version`.execute(db);
    return rows[0]?.version;
  }
  // Queries the catalog, because `to_regclass` can miss a table that another process has just committed.
  const { rows: tables } = await sql`select from pg_tables
    where tablename = 'schema_version' and schemaname = any(current_schemas(false))`.execute(db);
  if (tables.length === 0) return undefined;
  const { rows } = await sql<Row>`select * from schema_version limit 1`.execute(db);
  return Object.keys(rows[0] ?? {}).join() === 'version' ? Number(rows[0]?.version) : Number.NaN;
}

function loadStatements(name: string): Migration['statements'] {
  return (dialect) => {
    const words: Readonly<Record<string, string>> = dialectWords[dialect];
    return [`${name}.sql`, `${name}.${dialect}.sql`]
      .map((file) => new URL(`./migrations/${file}`, import.meta.url))
      .filter((file) => existsSync(file))
      .flatMap((file) => readFileSync(file, 'utf8').split(NEXT_STATEMENT))
      .filter((statement) => statement !== '')
      .map((statement) => statement.replace(/\{(\w+)\}/g, (whole, word: string) => words[word] ?? whole));
  };
}

const REWRITTEN_AT_ONCE = 1_000;

/** If two applicants of a job have the same normalized email, only one keeps it. Invalid emails stay unchanged. */
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
