import type { Kysely } from 'kysely';
import type { DatabaseAddress } from './address.ts';
import type { PostgresOptions } from './postgres.ts';
import type { Store } from './store.ts';
import type { Tables } from './tables.ts';

/** Opens the store, made where it is missing and migrated where it is older. Throws DATABASE_UNUSABLE. */
export async function openStore(address: DatabaseAddress, options: PostgresOptions = {}): Promise<Store> {
  if (address.dialect === 'postgres') {
    return (await import('./postgres.ts')).openPostgresStore(address.url, options);
  }
  return (await import('./sqlite.ts')).openSqliteStore(address.path);
}

/** A connection for reading a database that is there, as it is. Throws DATABASE_UNUSABLE. */
export async function connect(address: DatabaseAddress): Promise<Kysely<Tables>> {
  if (address.dialect === 'postgres') return (await import('./postgres.ts')).connectPostgres(address.url);
  return (await import('./sqlite.ts')).connectSqlite(address.path);
}
