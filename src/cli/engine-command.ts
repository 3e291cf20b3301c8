import type { Terms } from '../engine/companies/terms.ts';
import { PartnerCommand } from './base-command.ts';
import type { openLocalEngine } from './connection/bundled-engine.ts';
import { inGroup, textFlag } from './flags/flag-values.ts';
import { directories } from './settings/directories.ts';
import { clean, paragraph, prose, type View } from './terminal/view.ts';
import { moment } from './terminal/words.ts';

export abstract class EngineCommand extends PartnerCommand {
  static override baseFlags = {
    ...PartnerCommand.baseFlags,
    ...inGroup('GLOBAL', {
      database: textFlag(
        'ADDRESS',
        'Database URL, sqlite:PATH or postgres://… (set passwords in the environment variable)',
        { shown: { env: 'PARTNER_ENGINE_DATABASE' } },
      ),
    }),
  };

  /** Throws DATABASE_OUTDATED and DATABASE_UNUSABLE. Throws USAGE if requests would go to a server. */
  protected async engine({ access = 'write', ...options }: Parameters<typeof openLocalEngine>[1] = {}) {
    const { openLocalEngine } = await import('./connection/bundled-engine.ts');
    const database = await this.databaseFlag();
    // Without this check, a typo in `--database` would create a new, empty database.
    if (database !== undefined && access !== 'migrate') await (await this.database()).assertThere();
    const engine = await openLocalEngine(this.context, { database, ...options, access });
    this.toClose.push(engine.close);
    this.now = engine.clock.now;
    return engine;
  }

  /** Returns the database without opening the engine. Throws USAGE if requests would go to a server. */
  protected async database() {
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

export function termsText({ version, text, issuedAt }: Terms, view: View): string {
  const issued = issuedAt === null ? 'built in' : `issued ${moment(issuedAt)}`;
  const head = paragraph(view.paint('bold', `Version ${clean(version)} · ${issued}`), view);
  return `${head}\n${prose(text, view)}`;
}
