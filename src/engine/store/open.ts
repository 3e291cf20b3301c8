import type { DatabaseAddress } from './address.ts';
import type { PostgresOptions } from './postgres.ts';
import type { Store } from './store.ts';

/** Opens the store, made where it is missing and migrated where it is older. Throws DATABASE_UNUSABLE. */
export async function openStore(address: DatabaseAddress, options: PostgresOptions = {}): Promise<Store> {
  if (address.dialect === 'postgres') {
    return (await import('./postgres.ts')).openPostgresStore(address.url, options);
  }
  return (await import('./sqlite.ts')).openSqliteStore(address.path);
}
