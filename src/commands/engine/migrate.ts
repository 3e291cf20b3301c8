import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { switchFlag } from '../../cli/flags/flag-values.ts';
import { clean } from '../../cli/terminal/view.ts';

export default class EngineMigrate extends EngineCommand {
  static override summary = "Migrate the engine's database";
  static override description =
    '`engine serve` and `engine restore` also migrate the database. Other commands create or migrate a local SQLite file before they write to it, but no other database. Older releases refuse a newer schema.';
  static override examples = ['partner engine migrate --dry-run', 'partner engine migrate'];
  static override flags = {
    'dry-run': switchFlag('Print the current and new schema versions without migrating'),
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
  if (from === to) return `already has schema ${to}`;
  if (from === 0)
    return isDry ? `is new and would be created with schema ${to}` : `was created with schema ${to}`;
  return isDry
    ? `would be migrated from schema ${from} to ${to}`
    : `was migrated from schema ${from} to ${to}`;
}
