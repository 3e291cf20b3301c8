import type { BackupOptions } from '../../engine/backup/backup.ts';
import { VERSION } from '../../package.ts';
import { dataPaths, directories } from '../settings/directories.ts';
import { assertNoneEmpty } from '../settings/target.ts';
import type { CliContext } from '../terminal/streams.ts';

/** Returns the selected or default database without migrating it. Throws USAGE. */
export async function engineDatabase({ env, clock, interrupted: signal }: CliContext, given?: string) {
  assertNoneEmpty(env, ['PARTNER_ENGINE_DATABASE']);
  const { databaseName, parseDatabaseAddress, sqliteFile } = await import('../../engine/store/address.ts');
  const { createOutdatedError, SCHEMA_VERSION } = await import('../../engine/store/migrations.ts');
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
    /** Throws DATABASE_UNUSABLE if the file doesn't exist. */
    async assertThere() {
      const { connect } = await import('../../engine/store/open.ts');
      if (address.dialect === 'sqlite') await (await connect(address)).destroy();
    },
    /** Returns 0 if there's no database. Throws DATABASE_UNUSABLE. */
    async schemaVersion() {
      const { isThere } = await import('../../engine/store/sqlite-file.ts');
      const { withSnapshot } = await import('../../engine/store/open.ts');
      if (address.dialect === 'sqlite' && !isThere(address.path)) return 0;
      return withSnapshot(address, async ({ schemaVersion }) => schemaVersion);
    },
    async schemaFound(): Promise<string> {
      const version = await this.schemaVersion();
      if (version === 0 && address.dialect === 'sqlite') return `${this.name} isn't created yet`;
      if (version < SCHEMA_VERSION) throw createOutdatedError(this.name, version);
      return `${this.name} has schema ${version}`;
    },
    /** Throws USAGE if the database has a company. Doesn't open the engine, which would migrate the database. */
    async assertUnused() {
      if ((await this.schemaVersion()) === 0) return;
      const { withSnapshot } = await import('../../engine/store/open.ts');
      const { databaseInUse } = await import('../../engine/backup/restore.ts');
      const companies = await withSnapshot(address, ({ db }) =>
        db.selectFrom('companies').select('id').execute(),
      );
      if (companies.length > 0) throw databaseInUse();
    },
    /** Throws DATABASE_UNUSABLE, INTERRUPTED, and the errors of `write`. */
    async writeBackup(options: Pick<BackupOptions, 'write' | 'onProgress'>) {
      const { withSnapshot } = await import('../../engine/store/open.ts');
      const { writeBackup } = await import('../../engine/backup/backup.ts');
      const how = { release: VERSION, now: clock(), signal, ...options };
      return withSnapshot(address, (snapshot) => writeBackup(snapshot, how));
    },
    /** Doesn't open a database. Throws FILE_UNREADABLE, FILE_INVALID and INTERRUPTED. */
    async checkBackup(path: string) {
      const { checkBackup } = await import('../../engine/backup/restore.ts');
      return checkBackup(path, signal);
    },
  };
}
