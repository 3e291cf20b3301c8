import { createWriteStream, readFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import type { Kysely } from 'kysely';
import { contentsInDatabase, contentsInDirectory } from '../../../src/engine/applications/file-contents.ts';
import { type BackupOptions, backUp } from '../../../src/engine/backup/backup.ts';
import { type RestoreOptions, restore } from '../../../src/engine/backup/restore.ts';
import { type DatabaseAddress, sqliteFile } from '../../../src/engine/store/address.ts';
import { connectPostgres, openPostgresStore } from '../../../src/engine/store/postgres.ts';
import { snapshotOf } from '../../../src/engine/store/snapshot.ts';
import { connectSqlite } from '../../../src/engine/store/sqlite.ts';
import { createStore, type Store } from '../../../src/engine/store/store.ts';
import type { Tables } from '../../../src/engine/store/tables.ts';
import { DIALECTS } from '../store/dialects.ts';

const MADE_AT = Date.parse('2026-03-03T00:00:00.000Z');

export const UNWATCHED = { signal: new AbortController().signal, onProgress: () => {} };

/** A database: a file, PostgreSQL in this process, or on a server. */
export interface Place {
  readonly address: DatabaseAddress;
  /** Of a file, a connection of its own. */
  readonly reading: Kysely<Tables>;
  readonly db: Kysely<Tables>;
  readonly store: Store;
}

export async function newPlace(path?: string): Promise<Place> {
  if (path?.startsWith('postgres://')) {
    const [store, db] = [await openPostgresStore(path), await connectPostgres(path)];
    return { address: { dialect: 'postgres', url: path }, db, reading: db, store };
  }
  if (path !== undefined) {
    const db = await DIALECTS.sqlite(path);
    return { address: sqliteFile(path), db, reading: connectSqlite(path), store: createStore(db, 'sqlite') };
  }
  const db = await DIALECTS.postgres('');
  const address = { dialect: 'postgres', url: 'postgres://pglite/test' } as const;
  return { address, db, reading: db, store: createStore(db, 'postgres') };
}

/** `meanwhile` is run once the backup has its moment. */
export function backUpInto(
  file: string,
  { address, reading }: Pick<Place, 'address' | 'reading'>,
  { meanwhile, ...options }: Partial<BackupOptions> & { meanwhile?: () => Promise<unknown> } = {},
) {
  const write = (bytes: AsyncIterable<Uint8Array>) => pipeline(bytes, createWriteStream(file));
  return snapshotOf(reading, address, async (snapshot) => {
    await meanwhile?.();
    return backUp(snapshot, { ...UNWATCHED, write, release: '0.1.0', now: MADE_AT, ...options });
  });
}

export function restoreFrom(
  path: string,
  { address, store }: Pick<Place, 'address' | 'store'>,
  options: Partial<RestoreOptions> = {},
) {
  const contents =
    address.dialect === 'sqlite'
      ? contentsInDirectory({ store, directory: `${address.path}-files`, machine: Date.now })
      : contentsInDatabase(store);
  return restore(store, contents, { ...UNWATCHED, path, replaces: false, ...options });
}

export function linesIn(file: string): string[] {
  return gunzipSync(readFileSync(file)).toString().split('\n').slice(0, -1);
}
