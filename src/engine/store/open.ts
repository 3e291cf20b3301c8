import type { DatabaseAddress } from './address.ts';
import type { Store } from './store.ts';

/** Opens the store, made where it is missing and migrated where it is older. Throws DATABASE_UNUSABLE. */
export async function openStore(address: DatabaseAddress): Promise<Store> {
  if (address.dialect === 'postgres') return (await import('./postgres.ts')).openPostgresStore(address.url);
  return (await import('./sqlite.ts')).openSqliteStore(address.path);
}
