import { isDeepStrictEqual } from 'node:util';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { choiceFlag, jobIdArg } from '../../cli/flags/flag-values.ts';
import { jobInputOf } from '../../cli/job-input.ts';
import { jsonText } from '../../cli/terminal/json.ts';
import { cleanBlock } from '../../cli/terminal/view.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { JobInput } from '../../contract/job.ts';
import { WRITE_FORMATS, writtenListing } from '../../listings/write/write.ts';
import { isHidden } from '../../listings/write/yaml.ts';

export default class JobsExport extends PartnerCommand {
  static override summary = 'Print a job as a job file';
  static override description =
    'A JobInput that `jobs create` takes back; what only the server knows is left out.';
  static override examples = [
    'partner jobs export 12 > nurse.json',
    'partner jobs export 12 --format yaml > nurse.yaml',
  ];
  static override args = { id: jobIdArg };
  static override flags = {
    format: choiceFlag(['json', ...WRITE_FORMATS])({
      exclusive: ['json'],
      description: 'What the job file is written in; json unless given',
    }),
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(JobsExport);
    const { format = 'json' } = flags;
    if (format === 'xlsx' && this.streams.stdoutIsTerminal) throw new PartnerError('USAGE', NO_TEXT);
    const { client } = await this.connect({ access: 'read' });
    const input = jobInputOf(await client.getJob(args.id));
    if (format === 'json') return { json: input, text: () => jsonText(input) };
    const shown = format === 'csv' ? withoutHidden(input) : input;
    const text = await writtenListing(shown, format);
    return { json: input, text: () => text, hint: isDeepStrictEqual(shown, input) ? undefined : LEFT_OUT };
  }
}

/** The same without what steers a terminal: JSON and YAML write that as codes, and a table has none. */
function withoutHidden(input: JobInput): JobInput {
  return JSON.parse(JSON.stringify(input), (_, value) =>
    typeof value === 'string' && isHidden(value) ? cleanBlock(value) : value,
  );
}

const LEFT_OUT =
  'characters that cannot be seen are left out, and lines end with LF: --format yaml keeps all';

const NO_TEXT = {
  message: 'a spreadsheet is not for a terminal',
  hint: 'write it to a file: `partner jobs export ID --format xlsx > job.xlsx`',
};
