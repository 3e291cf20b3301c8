import { createReadStream, statSync } from 'node:fs';
import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { createRequiredArg, switchFlag } from '../../cli/flags/flag-values.ts';
import { showProgress } from '../../cli/terminal/progress.ts';
import { clean } from '../../cli/terminal/view.ts';
import { PartnerError } from '../../contract/errors.ts';
import { attempt, getErrorCode, systemError } from '../../contract/system-errors.ts';
import { formatCount } from '../../contract/words.ts';
import type { BackupSummary } from '../../engine/backup/backup.ts';
import { findEntry, isStream, replaceFileInParts } from '../../files/own-file.ts';

export default class EngineBackup extends EngineCommand {
  static override summary = "Back up the engine's database while it's in use";
  static override description =
    "Writes a consistent snapshot of companies, jobs, charges, key digests, and applications with their files. Only the file's owner can read it. SQLite and PostgreSQL use the same format (docs/operations.md). An existing file is only replaced with --force. Never overwrites a database or a state file of `jobs apply`.";
  static override examples = [
    'partner engine backup monday.backup',
    'partner engine backup monday.backup --force',
  ];
  static override args = { file: createRequiredArg('Backup file (written atomically)') };
  static override flags = { force: switchFlag('Replace an existing file') };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(EngineBackup);
    const database = await this.database();
    const progress = showProgress(this.streams, `Backing up ${database.name}`);
    const write = (bytes: AsyncIterable<Uint8Array>) => replaceFileInParts(args.file, bytes, !flags.force);
    const summary = await assertReplaceable(args.file, flags.force)
      .then(() => database.writeBackup({ write, onProgress: progress.say }))
      .catch(async (error: unknown) => {
        if (getErrorCode(error) === 'EEXIST') await assertReplaceable(args.file, false);
        const what = `can't write the backup ${args.file}`;
        throw systemError(error, 'OUTPUT_UNWRITABLE', what, 'check the path and the disk space');
      })
      .finally(progress.stop);
    const { missingFiles } = summary;
    if (missingFiles > 0)
      await this.note(
        `warning: ${formatCount(missingFiles, 'file')} of candidates couldn't be read and ${missingFiles === 1 ? "isn't" : "aren't"} in the backup`,
      );
    return {
      json: { file: args.file, database: database.name, ...summary },
      text: () => `Backed up ${contentText(summary)} to ${clean(args.file)}\n`,
    };
  }
}

const IRREPLACEABLE = [
  [/^SQLite format 3\0/, 'a database'],
  [/^\s*\{\s*"version":[\s\S]*"idempotencyKeys":|^\{"kind":"run",/, 'a `jobs apply` state file or journal'],
] as const;

async function assertReplaceable(path: string, isForced: boolean): Promise<void> {
  if (isStream(path) || findEntry(path) === undefined) return;
  // Also checks the database of a `-wal` file. Excludes pipes, because reading one would block.
  const isRead = (file: string) => findEntry(file) && !attempt(() => statSync(file))?.isFIFO();
  const files = [path, path.replace(/-(?:wal|shm|journal)$/, '')].filter(isRead);
  const begins = files.map((file) => createReadStream(file, { end: 1_023, encoding: 'latin1' }).toArray());
  const texts = (await Promise.all(begins)).flat();
  const what = IRREPLACEABLE.find(([begin]) => texts.some((text) => begin.test(text)))?.[1];
  if (what === undefined && isForced) return;
  throw new PartnerError('USAGE', {
    message: what === undefined ? `${path} already exists` : `${path} is ${what} and can't be replaced`,
    hint: `choose another name${what === undefined ? ', or replace it with --force' : ''}`,
  });
}

export function contentText(summary: Pick<BackupSummary, 'rows' | 'files'>): string {
  const { companies = 0, jobs = 0, applications = 0 } = summary.rows;
  const companiesText = companies === 1 ? '1 company' : `${companies} companies`;
  return `${companiesText}, ${formatCount(jobs, 'job')}, ${formatCount(applications, 'application')} and ${formatCount(summary.files, 'file')}`;
}
