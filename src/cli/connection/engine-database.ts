import type { BackupOptions, BackupSummary } from '../../engine/backup/backup.ts';
import type { DatabaseAddress } from '../../engine/store/address.ts';
import { VERSION } from '../../package.ts';
import { dataPaths, directories } from '../settings/directories.ts';
import { assertNoneEmpty } from '../settings/target.ts';
import type { CliContext } from '../terminal/streams.ts';

/** What is done to the engine's database as it is, without opening the engine, which would migrate it. */
export interface EngineDatabase {
  readonly address: DatabaseAddress;
  /** Without a password. */
  readonly name: string;
  /** What this release brings a database to. */
  readonly releaseSchemaVersion: number;
  /** 0 where there is no database yet. Throws DATABASE_UNUSABLE. */
  schemaVersion(): Promise<number>;
  /** Throws DATABASE_UNUSABLE, INTERRUPTED, and what `write` throws. */
  backUp(options: Pick<BackupOptions, 'write' | 'onProgress'>): Promise<BackupSummary>;
}

/** The database that `--database` names, or else PARTNER_ENGINE_DATABASE, or else the file of this user. Throws USAGE. */
export async function engineDatabase(
  { env, clock, interrupted: signal }: CliContext,
  given: string | undefined,
): Promise<EngineDatabase> {
  assertNoneEmpty(env, ['PARTNER_ENGINE_DATABASE']);
  const { databaseName, parseDatabaseAddress, sqliteFile } = await import('../../engine/store/address.ts');
  const { SCHEMA_VERSION } = await import('../../engine/store/migrations.ts');
  const named = given ?? env.PARTNER_ENGINE_DATABASE;
  const source = given === undefined ? 'PARTNER_ENGINE_DATABASE' : '--database';
  const address =
    named === undefined
      ? sqliteFile(dataPaths(directories(env)).database)
      : parseDatabaseAddress(named, source);
  return {
    address,
    name: databaseName(address),
    releaseSchemaVersion: SCHEMA_VERSION,
    async schemaVersion() {
      const { withSnapshot, isThere } = await import('../../engine/store/snapshot.ts');
      return isThere(address) ? withSnapshot(address, async ({ schemaVersion }) => schemaVersion) : 0;
    },
    async backUp(options) {
      const { withSnapshot } = await import('../../engine/store/snapshot.ts');
      const { backUp } = await import('../../engine/backup/backup.ts');
      const how = { release: VERSION, now: clock(), signal, ...options };
      return withSnapshot(address, (snapshot) => backUp(snapshot, how));
    },
  };
}
