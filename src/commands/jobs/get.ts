import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { jobIdArg } from '../../cli/flags/flag-values.ts';
import { jobCard } from './job-card.ts';
import { withSpending } from './listed-jobs.ts';

export default class JobsGet extends PartnerCommand {
  static override summary = 'Show a job';
  static override examples = ['partner jobs get 12', "partner jobs get 12 --json | jq '.status'"];
  static override args = { id: jobIdArg };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(JobsGet);
    const connection = await this.connect({ access: 'read' });
    const found = await connection.client.getJob(args.id);
    const { value: job = found } = await withSpending([found], connection.ofCompany).next();
    return { json: job, text: () => jobCard(job, this.view) };
  }
}
