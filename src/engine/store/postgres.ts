import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import { Pool } from 'pg';
import { migrate } from './migrations.ts';
import { createStore, type Store } from './store.ts';
import type { Tables } from './tables.ts';

/** Opens the store on a PostgreSQL server, migrated where it is older. */
export async function openPostgresStore(url: string): Promise<Store> {
  return createStore(await openPostgres(new Pool({ connectionString: url })), 'postgres');
}

export async function openPostgres(pool: PostgresPool): Promise<Kysely<Tables>> {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  await migrate(db, 'postgres');
  return db;
}
