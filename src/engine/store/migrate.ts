import { type Kysely, sql } from 'kysely';
import type { DialectName } from './connection.ts';
import { MIGRATIONS, SCHEMA_VERSION } from './migrations.ts';
import type { Tables } from './tables.ts';

interface VersionRecord {
  /** Keeps two processes from migrating one database at the same time. */
  readonly begin: (db: Kysely<Tables>) => Promise<void>;
  readonly read: (db: Kysely<Tables>) => Promise<number>;
  readonly write: (db: Kysely<Tables>, version: number) => Promise<void>;
}

const VERSION_RECORDS: Readonly<Record<DialectName, VersionRecord>> = {
  sqlite: {
    // Its write transactions are immediate: only one process has one.
    begin: async () => {},
    read: async (db) => {
      const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db);
      return rows[0]?.user_version ?? 0;
    },
    write: async (db, version) => {
      await sql`pragma user_version = ${sql.lit(version)}`.execute(db);
    },
  },
  postgres: {
    begin: async (db) => {
      await sql`select pg_advisory_xact_lock(hashtext('schema_version'))`.execute(db);
      await sql`create table if not exists schema_version (version integer not null)`.execute(db);
    },
    read: async (db) => {
      const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(db);
      return rows[0]?.version ?? 0;
    },
    write: async (db, version) => {
      await sql`delete from schema_version`.execute(db);
      await sql`insert into schema_version (version) values (${version})`.execute(db);
    },
  },
};

/** Brings a database to `SCHEMA_VERSION` in one transaction; leaves a newer one alone. */
export async function migrate(db: Kysely<Tables>, dialect: DialectName): Promise<void> {
  const record = VERSION_RECORDS[dialect];
  if (dialect === 'sqlite') {
    const version = await record.read(db);
    if (version >= SCHEMA_VERSION) return;
  }
  await db.transaction().execute(async (transaction) => {
    await record.begin(transaction);
    const version = await record.read(transaction);
    const missing = MIGRATIONS.filter(({ number }) => number > version);
    for (const { statements, rewrite } of missing) {
      for (const statement of statements(dialect)) await sql.raw(statement).execute(transaction);
      await rewrite?.(transaction);
    }
    if (missing.length > 0) await record.write(transaction, SCHEMA_VERSION);
  });
}
