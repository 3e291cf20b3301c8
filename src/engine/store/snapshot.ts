import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Kysely, Transaction } from 'kysely';
import { readOwnFile } from '../../files/own-file.ts';
import type { DatabaseAddress } from './address.ts';
import type { DialectName } from './connection.ts';
import { lockTables } from './copy.ts';
import { fileQueries } from './files.ts';
import { SCHEMA_VERSION, schemaVersion } from './migrations.ts';
import { connect } from './open.ts';
import type { Tables } from './tables.ts';

/** A database as it was at one moment, whatever others write meanwhile. */
export interface Snapshot {
  readonly db: Transaction<Tables>;
  readonly dialect: DialectName;
  readonly schemaVersion: number;
  /** The digests of the files that candidates have sent, some at a time. */
  digests(): AsyncIterable<readonly string[]>;
  /** The content of a file; undefined where it is gone or damaged. */
  content(digest: string): Promise<Uint8Array | undefined>;
}

/** Reads a database on a connection of its own; nothing is made or migrated. Throws DATABASE_UNUSABLE. */
export async function withSnapshot<T>(
  address: DatabaseAddress,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const db = await connect(address);
  try {
    return await snapshotOf(db, address, work);
  } finally {
    await db.destroy();
  }
}

export async function snapshotOf<T>(
  from: Kysely<Tables>,
  address: DatabaseAddress,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const { dialect } = address;
  const isOurs = (await schemaVersion(from, dialect)) === SCHEMA_VERSION;
  const reading = from.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return reading.execute(async (db) => {
    // A table that is truncated is empty for every snapshot.
    if (dialect === 'postgres' && isOurs) await lockTables(db, 'access share');
    // The first query fixes the moment that all others see.
    const version = (await schemaVersion(db, dialect)) ?? 0;
    const files = fileQueries({
      db,
      dialect,
      prepared: new Map(),
      direct: () => undefined,
      onChange: () => {},
    });
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
