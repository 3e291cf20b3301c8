import { createReadStream, statSync } from 'node:fs';
import * as Flags from '@oclif/core/flags';
import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { requiredArg } from '../../cli/flags/flag-values.ts';
import { showProgress } from '../../cli/terminal/progress.ts';
import { clean } from '../../cli/terminal/view.ts';
import { PartnerError } from '../../contract/errors.ts';
import { codeOf, systemError } from '../../contract/system-errors.ts';
import { tried } from '../../contract/tried.ts';
import { counted } from '../../contract/words.ts';
import type { BackupSummary } from '../../engine/backup/backup.ts';
import { entryAt, isStream, replaceFileInParts } from '../../files/own-file.ts';

export default class EngineBackup extends EngineCommand {
  static override summary = "Write everything in the engine's database to one file, while it is in use";
  static override description =
    'The state of one moment: companies, jobs, applications with their files, charges, and digests of keys. The file is for its owner only, is the same for SQLite and PostgreSQL, and goes back with `engine restore` (docs/operations.md). An existing file is only replaced with --force, a database or a state of `jobs apply` never.';
  static override examples = [
    'partner engine backup monday.backup',
    'partner engine backup monday.backup --force',
  ];
  static override args = { file: requiredArg('Backup file (written atomically)') };
  static override flags = { force: Flags.boolean({ description: 'Replace an existing file' }) };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(EngineBackup);
    const database = await this.database();
    const progress = showProgress(this.streams, `backing up ${database.name}`);
    const write = (bytes: AsyncIterable<Uint8Array>) => replaceFileInParts(args.file, bytes, !flags.force);
    const summary = await assertReplaceable(args.file, flags.force)
      .then(() => database.backUp({ write, onProgress: progress.say }))
      .catch(async (error: unknown) => {
        if (codeOf(error) === 'EEXIST') await assertReplaceable(args.file, false);
        const what = `the backup ${args.file} cannot be written`;
        throw systemError(error, 'OUTPUT_UNWRITABLE', what, 'look at its path and the disk');
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

const IRREPLACEABLE = [
  [/^SQLite format 3\0/, 'a database'],
  [/^\s*\{\s*"version":[\s\S]*"idempotencyKeys":|^\{"kind":"run",/, 'a state of `jobs apply`'],
] as const;

/** Throws USAGE for a file that must not be replaced, and what the file system says. */
async function assertReplaceable(path: string, isForced: boolean): Promise<void> {
  if (isStream(path) || entryAt(path) === undefined) return;
  // The log beside a database may be empty.
  // A pipe that a link leads to would be waited for.
  const isRead = (file: string) => entryAt(file) && !tried(() => statSync(file))?.isFIFO();
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
  return `${companiesText}, ${counted(jobs, 'job')}, ${counted(applications, 'application')} and ${counted(summary.files, 'file')}`;
}
