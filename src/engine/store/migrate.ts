import { type Kysely, sql } from 'kysely';
import type { DialectName } from './connection.ts';
import { MIGRATIONS, SCHEMA_VERSION } from './migrations.ts';
import type { Tables } from './tables.ts';

/** Brings a database to `SCHEMA_VERSION` in one transaction; leaves a newer one alone. */
export async function migrate(db: Kysely<Tables>, dialect: DialectName): Promise<void> {
  if (dialect === 'sqlite' && (await versionOf(db, dialect)) >= SCHEMA_VERSION) return;
  await db.transaction().execute(async (transaction) => {
    if (dialect === 'postgres') {
      // Two processes must not migrate one database at the same time; SQLite has one writer anyway.
      await sql`select pg_advisory_xact_lock(hashtext('schema_version'))`.execute(transaction);
      await sql`create table if not exists schema_version (version integer not null)`.execute(transaction);
    }
    const version = await versionOf(transaction, dialect);
    if (version >= SCHEMA_VERSION) return;
    for (const { statements, rewrite } of MIGRATIONS.slice(version)) {
      for (const statement of statements(dialect)) await sql.raw(statement).execute(transaction);
      await rewrite?.(transaction);
    }
    if (dialect === 'sqlite') {
      await sql`pragma user_version = ${sql.lit(SCHEMA_VERSION)}`.execute(transaction);
    } else {
      await sql`delete from schema_version`.execute(transaction);
      await sql`insert into schema_version (version) values (${SCHEMA_VERSION})`.execute(transaction);
    }
  });
}

async function versionOf(db: Kysely<Tables>, dialect: DialectName): Promise<number> {
  const query =
    dialect === 'sqlite'
      ? sql<{ version: number }>`select user_version as version from pragma_user_version`
      : sql<{ version: number }>`select version from schema_version`;
  return (await query.execute(db)).rows[0]?.version ?? 0;
}
