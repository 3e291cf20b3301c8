import * as Flags from '@oclif/core/flags';
import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { requiredArg } from '../../cli/flags/flag-values.ts';
import { showProgress } from '../../cli/terminal/progress.ts';
import { clean } from '../../cli/terminal/view.ts';
import { contentText } from './backup.ts';

export default class EngineRestore extends EngineCommand {
  static override summary = 'Put a backup into an empty database, all of it or nothing';
  static override description =
    'The file is checked first. Ids stay, and new ones go on after them. A backup of SQLite goes into PostgreSQL, and the other way round. People sign in to the dashboard again.';
  static override examples = [
    'partner engine restore monday.backup --database sqlite:copy.db',
    'partner engine restore monday.backup --replace --yes',
  ];
  static override args = { file: requiredArg('Backup file from `engine backup`') };
  static override flags = {
    replace: Flags.boolean({
      description: 'Delete what is in the database, and put the backup in its place',
    }),
    yes: Flags.boolean({ char: 'y', dependsOn: ['replace'], description: 'Replace it without asking' }),
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(EngineRestore);
    const database = await this.database();
    const { name } = database;
    if (flags.replace && !flags.yes)
      await this.mustConfirm(`Delete everything in ${name}, and put ${args.file} in its place?`, '--yes');
    const progress = showProgress(this.streams, `checking ${args.file}`);
    const { interrupted: signal } = this.context;
    const options = { replaces: flags.replace, signal, onProgress: progress.say };
    const restoring = database.checkBackup(args.file).then(async (backup) => {
      const { operator } = await this.engine({ access: 'migrate', hasNoTimeouts: true });
      return operator.restore(backup, options);
    });
    const summary = await restoring.finally(progress.stop);
    return {
      json: { file: args.file, database: name, ...summary },
      text: () => `Restored ${contentText(summary)} of ${summary.madeAt} into ${clean(name)}\n`,
    };
  }
}
