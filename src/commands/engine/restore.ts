import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { createRequiredArg, switchFlag } from '../../cli/flags/flag-values.ts';
import { showProgress } from '../../cli/terminal/progress.ts';
import { clean } from '../../cli/terminal/view.ts';
import { contentText } from './backup.ts';

export default class EngineRestore extends EngineCommand {
  static override summary = 'Restore a backup';
  static override description =
    'Checks the file, then restores all of it or nothing. The database must be empty, unless you pass --replace. IDs are unchanged. SQLite backups can be restored into PostgreSQL and vice versa. Users must sign in to the dashboard again.';
  static override examples = [
    'partner engine restore monday.backup --database sqlite:copy.db',
    'partner engine restore monday.backup --replace --yes',
  ];
  static override args = { file: createRequiredArg('Backup file from `engine backup`') };
  static override flags = {
    replace: switchFlag('Replace the content of the database'),
    yes: switchFlag('Skip the prompt', { char: 'y', dependsOn: ['replace'] }),
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(EngineRestore);
    const database = await this.database();
    const { name } = database;
    if (flags.replace && !flags.yes)
      await this.mustConfirm(`Delete everything in ${name} and restore ${args.file}?`, '--yes');
    const progress = showProgress(this.streams, `Checking ${args.file}`);
    const { interrupted: signal } = this.context;
    const options = { replaces: flags.replace, signal, onProgress: progress.say };
    const restoring = database.checkBackup(args.file).then(async (backup) => {
      if (!flags.replace) await database.assertUnused();
      const { operator } = await this.engine({ access: 'migrate', hasNoTimeouts: true });
      return operator.restore(backup, options);
    });
    const summary = await restoring.finally(progress.stop);
    return {
      json: { file: args.file, database: name, ...summary },
      text: () => `Restored ${contentText(summary)} from ${summary.madeAt} to ${clean(name)}\n`,
    };
  }
}
