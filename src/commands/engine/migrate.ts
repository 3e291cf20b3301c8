import * as Flags from '@oclif/core/flags';
import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { clean } from '../../cli/terminal/view.ts';

export default class EngineMigrate extends EngineCommand {
  static override summary = "Bring the engine's database to the schema of this release";
  static override description =
    '`engine serve` and `engine restore` also migrate. Other commands create or migrate a local SQLite file only, and only before they write. Older releases refuse a newer schema.';
  static override examples = ['partner engine migrate --dry-run', 'partner engine migrate'];
  static override flags = {
    'dry-run': Flags.boolean({ description: 'Only say from which version it would go to which' }),
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(EngineMigrate);
    const isDry = flags['dry-run'];
    const database = await this.database();
    const from = await database.schemaVersion();
    const to = database.releaseSchemaVersion;
    if (!isDry) await this.engine({ access: 'migrate' });
    return {
      json: { database: database.name, from, to, migrated: !isDry && from !== to },
      text: () => `${clean(database.name)} ${migrationText(from, to, isDry)}\n`,
    };
  }
}

function migrationText(from: number, to: number, isDry: boolean): string {
  if (from === to) return `has schema ${to} already: nothing to do`;
  if (from === 0) return isDry ? `is new and would get schema ${to}` : `is new and has schema ${to}`;
  return isDry ? `has schema ${from} and would get ${to}` : `went from schema ${from} to ${to}`;
}
