import type { BackupOptions } from '../../engine/backup/backup.ts';
import { VERSION } from '../../package.ts';
import { dataPaths, directories } from '../settings/directories.ts';
import { assertNoneEmpty } from '../settings/target.ts';
import type { CliContext } from '../terminal/streams.ts';

export type EngineDatabase = Awaited<ReturnType<typeof engineDatabase>>;

/**
 * The database that `--database` names, or else PARTNER_ENGINE_DATABASE, or else the file of this user, as it is: opening
 * the engine would migrate it. Throws USAGE.
 */
export async function engineDatabase(
  { env, clock, interrupted: signal }: CliContext,
  given: string | undefined,
) {
  assertNoneEmpty(env, ['PARTNER_ENGINE_DATABASE']);
  const { databaseName, parseDatabaseAddress, sqliteFile } = await import('../../engine/store/address.ts');
  const { outdated, SCHEMA_VERSION } = await import('../../engine/store/migrations.ts');
  const named = given ?? env.PARTNER_ENGINE_DATABASE;
  const source = given === undefined ? 'PARTNER_ENGINE_DATABASE' : '--database';
  const address =
    named === undefined
      ? sqliteFile(dataPaths(directories(env)).database)
      : parseDatabaseAddress(named, source);
  return {
    address,
    /** Without a password. */
    name: databaseName(address),
    releaseSchemaVersion: SCHEMA_VERSION,
    /** Throws DATABASE_UNUSABLE where its file is not there. */
    async assertThere() {
      const { connect } = await import('../../engine/store/open.ts');
      if (address.dialect === 'sqlite') await (await connect(address)).destroy();
    },
    /** 0 where there is no database yet. Throws DATABASE_UNUSABLE. */
    async schemaVersion() {
      const { isThere } = await import('../../engine/store/sqlite-file.ts');
      const { withSnapshot } = await import('../../engine/store/snapshot.ts');
      if (address.dialect === 'sqlite' && !isThere(address.path)) return 0;
      return withSnapshot(address, async ({ schemaVersion }) => schemaVersion);
    },
    async schemaFound(): Promise<string> {
      const version = await this.schemaVersion();
      if (version === 0 && address.dialect === 'sqlite') return `${this.name} is not created yet`;
      if (version < SCHEMA_VERSION) throw outdated(this.name, version);
      return `${this.name} has schema ${version}`;
    },
    /** Throws DATABASE_UNUSABLE, INTERRUPTED, and what `write` throws. */
    async backUp(options: Pick<BackupOptions, 'write' | 'onProgress'>) {
      const { withSnapshot } = await import('../../engine/store/snapshot.ts');
      const { backUp } = await import('../../engine/backup/backup.ts');
      const how = { release: VERSION, now: clock(), signal, ...options };
      return withSnapshot(address, (snapshot) => backUp(snapshot, how));
    },
    /** Opens no database. Throws FILE_UNREADABLE, FILE_INVALID and INTERRUPTED. */
    async checkBackup(path: string) {
      const { checkBackup } = await import('../../engine/backup/restore.ts');
      return checkBackup(path, signal);
    },
  };
}
