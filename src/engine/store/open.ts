import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Kysely, Transaction } from 'kysely';
import { readOwnFile } from '../../files/own-file.ts';
import type { DatabaseAddress } from './address.ts';
import type { DialectName } from './connection.ts';
import { lockTables } from './copy.ts';
import { SCHEMA_VERSION, schemaVersion } from './migrations.ts';
import type { StoreOptions } from './postgres.ts';
import { createStore, type Store } from './store.ts';
import type { Tables } from './tables.ts';

/** Throws DATABASE_UNUSABLE, or DATABASE_OUTDATED if `access` doesn't allow a migration. */
export async function openStore(address: DatabaseAddress, options: StoreOptions = {}): Promise<Store> {
  if (address.dialect === 'postgres') {
    return (await import('./postgres.ts')).openPostgresStore(address.url, options);
  }
  return (await import('./sqlite.ts')).openSqliteStore(address.path, options.access);
}

/** Connects for reading an existing database, without migrating it. Throws DATABASE_UNUSABLE. */
export async function connect(address: DatabaseAddress): Promise<Kysely<Tables>> {
  if (address.dialect === 'postgres') return (await import('./postgres.ts')).connectPostgres(address.url);
  return (await import('./sqlite.ts')).connectSqlite(address.path);
}

export interface Snapshot {
  readonly db: Transaction<Tables>;
  readonly dialect: DialectName;
  readonly schemaVersion: number;
  digests(): AsyncIterable<readonly string[]>;
  content(digest: string): Promise<Uint8Array | undefined>;
}

/** Reads a database on a separate connection, without creating or migrating it. Throws DATABASE_UNUSABLE. */
export async function withSnapshot<T>(address: DatabaseAddress, work: (snapshot: Snapshot) => Promise<T>) {
  const db = await connect(address);
  return takeSnapshot(db, address, work).finally(() => db.destroy());
}

export async function takeSnapshot<T>(
  from: Kysely<Tables>,
  address: DatabaseAddress,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const { dialect } = address;
  const isOurs = (await schemaVersion(from, dialect)) === SCHEMA_VERSION;
  const reading = from.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return reading.execute(async (db) => {
    // Blocks TRUNCATE, which would empty the table for this snapshot too.
    if (dialect === 'postgres' && isOurs) await lockTables(db, 'access share');
    // The first query sets the moment that all later queries see.
    const version = (await schemaVersion(db, dialect)) ?? 0;
    const { files } = createStore(db, dialect).read;
    return work({
      db,
      dialect,
      schemaVersion: version,
      digests: () => files.digests(),
      async content(digest) {
        const content =
          address.dialect === 'postgres'
            ? await files.content(digest)
            : readOwnFile(join(`${address.path}-files`, digest));
        const isSound = content && createHash('sha256').update(content).digest('hex') === digest;
        return isSound ? content : undefined;
      },
    });
  });
}
