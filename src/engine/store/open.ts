import type { Kysely } from 'kysely';
import type { DatabaseAddress } from './address.ts';
import type { StoreOptions } from './postgres.ts';
import type { Store } from './store.ts';
import type { Tables } from './tables.ts';

/** Throws DATABASE_UNUSABLE, and DATABASE_OUTDATED for a schema that `access` doesn't allow to change. */
export async function openStore(address: DatabaseAddress, options: StoreOptions = {}): Promise<Store> {
  if (address.dialect === 'postgres') {
    return (await import('./postgres.ts')).openPostgresStore(address.url, options);
  }
  return (await import('./sqlite.ts')).openSqliteStore(address.path, options.access);
}

/** A connection for reading a database that is there, as it is. Throws DATABASE_UNUSABLE. */
export async function connect(address: DatabaseAddress): Promise<Kysely<Tables>> {
  if (address.dialect === 'postgres') return (await import('./postgres.ts')).connectPostgres(address.url);
  return (await import('./sqlite.ts')).connectSqlite(address.path);
}
