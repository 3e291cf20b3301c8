import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { jobIdArg } from '../../cli/flags/flag-values.ts';
import { jobInputOf } from '../../cli/job-input.ts';
import { jsonText } from '../../cli/terminal/json.ts';

export default class JobsExport extends PartnerCommand {
  static override summary = 'Print a job as a job file';
  static override description =
    'A JobInput that `jobs create` takes back; what only the server knows is left out.';
  static override examples = ['partner jobs export 12 > nurse.json'];
  static override args = { id: jobIdArg };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(JobsExport);
    const { client } = await this.connect();
    const input = jobInputOf(await client.getJob(args.id));
    return { json: input, text: () => jsonText(input) };
  }
}
