import * as Flags from '@oclif/core/flags';
import { PartnerCommand } from './base-command.ts';
import type { LocalEngine, openLocalEngine } from './connection/bundled-engine.ts';
import type { EngineDatabase } from './connection/engine-database.ts';
import { directories } from './settings/directories.ts';

/** A command on the bundled engine itself, wherever its database is. */
export abstract class EngineCommand extends PartnerCommand {
  static override baseFlags = {
    ...PartnerCommand.baseFlags,
    database: Flags.string({
      helpGroup: 'GLOBAL',
      helpValue: 'ADDRESS',
      description:
        "The engine's database: sqlite:PATH or postgres://…; a password belongs in its variable, which other users do not see (partner help engine)",
    }),
  };

  /** Throws USAGE if calls would go to a server, DATABASE_OUTDATED and DATABASE_UNUSABLE. */
  protected async engine({
    access = 'write',
    ...options
  }: Parameters<typeof openLocalEngine>[1] = {}): Promise<LocalEngine> {
    const { openLocalEngine } = await import('./connection/bundled-engine.ts');
    const database = await this.databaseFlag();
    // After a typo a key would be made in a database that nobody serves.
    if (database !== undefined && access !== 'migrate') await (await this.database()).assertThere();
    const engine = await openLocalEngine(this.context, { database, ...options, access });
    this.toClose.push(engine.close);
    this.now = engine.clock.now;
    return engine;
  }

  /** Its database alone, as it is. Throws USAGE where calls would go to a server. */
  protected async database(): Promise<EngineDatabase> {
    const { engineDatabase } = await import('./connection/engine-database.ts');
    return engineDatabase(this.context, await this.databaseFlag());
  }

  private async databaseFlag(): Promise<string | undefined> {
    const { assertBundled } = await import('./settings/target.ts');
    const { loadProfiles } = await import('./settings/profiles.ts');
    const { env } = this.context;
    const profiles = loadProfiles(directories(env).config);
    assertBundled(`partner ${this.ctor.id.replaceAll(':', ' ')}`, { flags: this.callFlags(), env, profiles });
    return (this.globals as { database?: string }).database;
  }
}
