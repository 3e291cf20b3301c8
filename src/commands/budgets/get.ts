import * as Args from '@oclif/core/args';
import { type Outcome, PartnerCommand } from '../../base-command.ts';
import { jobId } from '../../command-line/job-id.ts';
import { listFlags, listShape } from '../../command-line/list-flags.ts';
import { sorted } from '../../ui/list-shape.ts';
import { BUDGET_COLUMNS, budgetTable } from '../../ui/views/budgets.ts';
import { listIn } from '../../ui/views/read.ts';

export default class BudgetsGet extends PartnerCommand {
  static override summary = "Show a job's spend caps";
  static override examples = ['partner budgets get 12', 'partner budgets get 12 --json'];
  static override args = {
    job: Args.string({ required: true, ignoreStdin: true, description: "The job's id" }),
  };
  static override flags = listFlags(BUDGET_COLUMNS);

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(BudgetsGet);
    const shape = listShape(flags, BUDGET_COLUMNS);
    const id = jobId(args.job);
    const { client } = await this.connect();
    const { budgets } = await client.getJob(id);
    return {
      json: { items: shape.sort === undefined ? budgets : sorted(listIn(budgets), shape) },
      text: () => budgetTable(budgets, this.view, shape),
    };
  }
}
