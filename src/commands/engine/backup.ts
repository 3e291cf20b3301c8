import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { requiredArg } from '../../cli/flags/flag-values.ts';
import { showProgress } from '../../cli/terminal/progress.ts';
import { clean } from '../../cli/terminal/view.ts';
import { PartnerError } from '../../contract/errors.ts';
import { reasonOf } from '../../contract/system-errors.ts';
import { counted } from '../../contract/words.ts';
import type { BackupSummary } from '../../engine/backup/backup.ts';
import { replaceFileInParts } from '../../files/own-file.ts';

export default class EngineBackup extends EngineCommand {
  static override summary = "Write everything in the engine's database to one file, while it is in use";
  static override description =
    'The state of one moment: companies, jobs, applications with their files, charges, and digests of keys. The file is for its owner only, is the same for SQLite and PostgreSQL, and goes back with `engine restore` (docs/operations.md).';
  static override examples = ['partner engine backup monday.backup'];
  static override args = {
    file: requiredArg('Backup file (written atomically)'),
  };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(EngineBackup);
    const database = await this.database();
    const progress = showProgress(this.streams, `backing up ${database.name}`);
    const write = (bytes: AsyncIterable<Uint8Array>) => replaceFileInParts(args.file, bytes);
    const summary = await database
      .backUp({ write, onProgress: progress.say })
      .catch((error: unknown) => {
        if (error instanceof PartnerError) throw error;
        const message = `the backup ${args.file} cannot be written: ${reasonOf(error)}`;
        throw new PartnerError('OUTPUT_UNWRITABLE', {
          message,
          hint: 'look at its path and the disk',
          cause: error,
        });
      })
      .finally(progress.stop);
    const { missingFiles } = summary;
    if (missingFiles > 0)
      await this.note(
        `warning: ${counted(missingFiles, 'file')} of candidates could not be read, and is not in it`,
      );
    return {
      json: { file: args.file, database: database.name, ...summary },
      text: () => `Backed up ${contentText(summary)} to ${clean(args.file)}\n`,
    };
  }
}

/** What a backup holds, in a few words. */
export function contentText(summary: Pick<BackupSummary, 'rows' | 'files'>): string {
  const { companies = 0, jobs = 0, applications = 0 } = summary.rows;
  const companiesText = companies === 1 ? '1 company' : `${companies} companies`;
  return `${companiesText}, ${counted(jobs, 'job')}, ${counted(applications, 'application')} and ${counted(summary.files, 'file')}`;
}
