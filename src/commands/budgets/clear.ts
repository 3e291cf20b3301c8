import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { budgetTable } from '../../cli/budget-table.ts';
import { changeCaps } from '../../cli/caps.ts';
import { oneOf } from '../../cli/flags/flag-values.ts';
import { jobId } from '../../cli/flags/job-id.ts';
import { BUDGET_WINDOWS } from '../../contract/values.ts';

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
    const { job, moved } = await changeCaps(client, id, {
      drop: window === undefined ? 'all' : [window],
      given: [],
    });
    for (const line of moved) await this.note(line);
    const { budgets } = job;
    return { json: { items: budgets }, text: () => budgetTable(budgets, this.view) };
  }
}
