import * as Args from '@oclif/core/args';
import { type Outcome, PartnerCommand } from '../../base-command.ts';
import { jobId } from '../../command-line/job-id.ts';
import { budgetTable } from '../../ui/views/budgets.ts';

export default class BudgetsGet extends PartnerCommand {
  static override summary = "Show a job's spend caps";
  static override examples = ['partner budgets get 12', 'partner budgets get 12 --json'];
  static override args = {
    job: Args.string({ required: true, ignoreStdin: true, description: "The job's id" }),
  };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(BudgetsGet);
    const id = jobId(args.job);
    const { client } = await this.connect();
    const { budgets } = await client.getJob(id);
    return { json: { items: budgets }, text: () => budgetTable(budgets, this.view) };
  }
}
