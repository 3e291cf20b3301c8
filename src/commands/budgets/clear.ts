import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../base-command.ts';
import { oneOf } from '../../command-line/flag-values.ts';
import { jobId } from '../../command-line/job-id.ts';
import { BUDGET_WINDOWS } from '../../contract/values.ts';
import { standingBudgets } from '../../intake/job-file.ts';
import { budgetTable } from '../../ui/views/budgets.ts';

export default class BudgetsClear extends PartnerCommand {
  static override summary = "Remove a job's spend caps";
  static override description = 'What was spent stays spent: a cap that is set again counts it.';
  static override examples = ['partner budgets clear 12', 'partner budgets clear 12 --window DAILY'];
  static override args = {
    job: Args.string({ required: true, ignoreStdin: true, description: "The job's id" }),
  };
  static override flags = {
    window: Flags.string({ helpValue: BUDGET_WINDOWS.join('|'), description: 'Only this cap' }),
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(BudgetsClear);
    const id = jobId(args.job);
    const window = flags.window === undefined ? undefined : oneOf('--window', flags.window, BUDGET_WINDOWS);
    const { client } = await this.connect();
    const standing = window === undefined ? [] : standingBudgets(await client.getJob(id));
    const { budgets } = await client.updateJob(id, {
      budgets: standing.filter((budget) => budget.window !== window),
    });
    return { json: { items: budgets }, text: () => budgetTable(budgets, this.view) };
  }
}
