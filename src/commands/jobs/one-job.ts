import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { choiceFlag, jobIdArg } from '../../cli/flags/flag-values.ts';
import { jobInputOf } from '../../cli/job-input.ts';
import { jsonText } from '../../cli/terminal/json.ts';
import { cleanBlock } from '../../cli/terminal/view.ts';
import { PartnerError } from '../../contract/errors.ts';
import { WRITE_FORMATS, writtenListing } from '../../listings/write/write.ts';
import { jobCard } from './job-card.ts';
import { noCheckFlag } from './job-flags.ts';
import { assertRepublishable } from './job-gaps.ts';

export class JobsGet extends PartnerCommand {
  static override summary = 'Show a job';
  static override examples = ['partner jobs get 12', "partner jobs get 12 --json | jq '.status'"];
  static override args = { id: jobIdArg };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(JobsGet);
    const { client } = await this.connect();
    const job = await client.getJob(args.id);
    return { json: job, text: () => jobCard(job, this.view) };
  }
}

export class JobsExport extends PartnerCommand {
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
    const { stdoutIsTerminal: isShown } = this.streams;
    if (format === 'xlsx' && isShown) throw new PartnerError('USAGE', NO_TEXT);
    const { client } = await this.connect();
    const input = jobInputOf(await client.getJob(args.id));
    if (format === 'json') return { json: input, text: () => jsonText(input) };
    const written = await writtenListing(input, format);
    // A table has no codes for what steers a terminal.
    const text = isShown && typeof written === 'string' ? cleanBlock(written) : written;
    return { json: input, text: () => text };
  }
}

const NO_TEXT = {
  message: 'a spreadsheet is not for a terminal',
  hint: 'write it to a file: `partner jobs export ID --format xlsx > job.xlsx`',
};

export class JobsRepost extends PartnerCommand {
  static override summary = 'Make a new job from the content of another';
  static override description = 'For a job that is CLOSED or EXPIRED: neither can go live again.';
  static override examples = ['partner jobs repost 12', 'partner jobs repost 12 --publish --json'];
  static override args = { id: jobIdArg };
  static override flags = {
    publish: Flags.boolean({ description: 'Publish the new job at once' }),
    ...noCheckFlag,
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(JobsRepost);
    const { id } = args;
    const { client } = await this.connect();
    const before = await client.getJob(id);
    if (flags.publish && !flags['no-check']) assertRepublishable(before);
    const input = jobInputOf(before);
    const job = await this.create({ ...input, ...(flags.publish ? { publish: true } : {}) });
    return {
      json: job,
      text: () => jobCard(job, this.view),
      hint: `job ${job.id} has the content of job ${id}`,
    };
  }
}
