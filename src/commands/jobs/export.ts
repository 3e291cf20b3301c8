import { isDeepStrictEqual } from 'node:util';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import * as flag from '../../cli/flags/flag-values.ts';
import { toJobInput } from '../../cli/job-input.ts';
import { jsonText, shellWord } from '../../cli/terminal/view.ts';
import { PartnerError } from '../../contract/errors.ts';
import { JOB_STATUSES, type JobStatus } from '../../contract/values.ts';
import { formatCount } from '../../contract/words.ts';
import { IMPORT_FORMATS } from '../../import/listing-text.ts';
import { WRITE_FORMATS, writeListing } from '../../listings/write/write.ts';
import words from './export.json' with { type: 'json' };
import { exportJobs, loadJobsToExport, withoutHidden } from './exported-set.ts';
import { loadSharedFields } from './import-sources.ts';

export default class JobsExport extends PartnerCommand {
  static override summary = 'Export jobs to files';
  static override description =
    "Prints a job file for `jobs create`. Fields that only the server sets are omitted. With --out, writes a file for each draft, live and paused job, and links the files to their jobs in the state. `jobs plan` then finds nothing to do. Jobs that the state already lists are skipped, and existing files aren't overwritten. If the server can't list jobs, pass their IDs.";
  static override examples = [
    'partner jobs export 12 > nurse.json',
    'partner jobs export 12 --format yaml > nurse.yaml',
    'partner jobs export --out jobs',
    'partner jobs export --out jobs --status ACTIVE --format md',
  ];
  static override strict = false;
  static override args = { id: flag.optionalArg('Job IDs (with --out, all jobs if omitted)') };
  static override flags = {
    format: flag.choiceFlag(['json', ...WRITE_FORMATS])({
      shown: { default: 'json, or yaml with --out' },
      description: 'Format of the job file',
    }),
    out: flag.textFlag('DIR', 'Directory for the job files'),
    status: flag.choiceFlag(JOB_STATUSES)({ description: 'Export only jobs with this status' }),
    ...flag.stateFlags,
  };

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(JobsExport);
    const ids = flag.parseIds(argv as string[], 'job');
    const [id, ...others] = ids;
    const { out, format = out === undefined ? 'json' : 'yaml' } = flags;
    if (out !== undefined) return this.exportSet(out, ids, { ...flags, format });
    if (flags.status ?? flags.state) throw new PartnerError('USAGE', words.needsOut);
    if (id === undefined || others.length > 0) throw new PartnerError('USAGE', words.oneOnly);
    if (flags.format !== undefined && this.globals.json) throw new PartnerError('USAGE', words.noFormat);
    if (format === 'xlsx' && this.streams.stdoutIsTerminal) throw new PartnerError('USAGE', words.noText);
    const { client } = await this.connect({ access: 'read' });
    const input = toJobInput(await client.getJob(id));
    if (format === 'json') return { json: input, text: () => jsonText(input) };
    const shown = format === 'csv' ? withoutHidden(input) : input;
    const text = await writeListing(shown, format);
    return {
      json: input,
      text: () => text,
      hint: isDeepStrictEqual(shown, input) ? undefined : words.leftOut,
    };
  }

  private async exportSet(out: string, ids: readonly number[], flags: SetFlags): Promise<Outcome> {
    const format = flag.parseChoiceFlag('--format with --out', flags.format, IMPORT_FORMATS);
    const connection = await this.connect({ access: 'read' });
    const { jobs, ended, complete } = await loadJobsToExport(connection, ids, flags.status);
    const request = { ...(await loadSharedFields(out, this.streams)), format, stateFlag: flags.state };
    const { exported, skipped } = await exportJobs(jobs, out, request, connection, this.context);
    const counts = `exported ${formatCount(exported.length, 'job')}, skipped ${skipped} in the state and ${ended} closed or expired`;
    const next = `check the files with \`partner jobs plan ${shellWord(out)}\``;
    return {
      json: { items: exported, skipped, ended, complete },
      text: () => exported.map(({ id, file }) => `${file}\t${id}\n`).join(''),
      hint: [...(complete ? [] : [words.unlisted]), counts, next],
    };
  }
}

type SetFlags = { format: string; status?: JobStatus | undefined; state?: string | undefined };
