import * as Args from '@oclif/core/args';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { BUDGET_COLUMNS, budgetTable } from '../../cli/budget-table.ts';
import { jobId } from '../../cli/flags/job-id.ts';
import { listFlags, listShape } from '../../cli/flags/list-flags.ts';
import { sorted } from '../../cli/terminal/list-shape.ts';
import { listIn } from '../../cli/terminal/read.ts';

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
