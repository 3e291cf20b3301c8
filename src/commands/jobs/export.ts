import { isDeepStrictEqual } from 'node:util';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { choiceFlag, jobIdArg } from '../../cli/flags/flag-values.ts';
import { toJobInput } from '../../cli/job-input.ts';
import { cleanBlock, jsonText } from '../../cli/terminal/view.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { JobInput } from '../../contract/job.ts';
import { WRITE_FORMATS, writeListing } from '../../listings/write/write.ts';
import { isHidden } from '../../listings/write/yaml.ts';

export default class JobsExport extends PartnerCommand {
  static override summary = 'Export a job to a file';
  static override description =
    'Prints a job file that `jobs create` accepts, without fields that only the server sets.';
  static override examples = [
    'partner jobs export 12 > nurse.json',
    'partner jobs export 12 --format yaml > nurse.yaml',
  ];
  static override args = { id: jobIdArg };
  static override flags = {
    format: choiceFlag(['json', ...WRITE_FORMATS])({
      default: 'json',
      exclusive: ['json'],
      description: 'Format of the job file',
    }),
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(JobsExport);
    const { format } = flags;
    if (format === 'xlsx' && this.streams.stdoutIsTerminal) throw new PartnerError('USAGE', NO_TEXT);
    const { client } = await this.connect({ access: 'read' });
    const input = toJobInput(await client.getJob(args.id));
    if (format === 'json') return { json: input, text: () => jsonText(input) };
    const shown = format === 'csv' ? withoutHidden(input) : input;
    const text = await writeListing(shown, format);
    return { json: input, text: () => text, hint: isDeepStrictEqual(shown, input) ? undefined : LEFT_OUT };
  }
}

/** Removes invisible characters, because CSV can't escape them as JSON and YAML do. */
function withoutHidden(input: JobInput): JobInput {
  return JSON.parse(JSON.stringify(input), (_, value) =>
    typeof value === 'string' && isHidden(value) ? cleanBlock(value) : value,
  );
}

const LEFT_OUT =
  'invisible characters are omitted, and lines end with LF. To keep everything, use --format yaml';

const NO_TEXT = {
  message: "can't print a spreadsheet to a terminal",
  hint: 'redirect the output to a file: `partner jobs export ID --format xlsx > job.xlsx`',
};
