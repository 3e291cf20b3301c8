import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { BUDGET_COLUMNS, budgetTable } from '../../cli/caps.ts';
import { jobIdArg, listFlags } from '../../cli/flags/flag-values.ts';
import { sortItems } from '../../cli/terminal/table.ts';

export default class BudgetsGet extends PartnerCommand {
  static override summary = "Show a job's spend caps";
  static override examples = ['partner budgets get 12', 'partner budgets get 12 --json'];
  static override args = { job: jobIdArg };
  static override flags = listFlags(BUDGET_COLUMNS);

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(BudgetsGet);
    const { client } = await this.connect({ access: 'read' });
    const { budgets } = await client.getJob(args.job);
    return {
      json: { items: sortItems(budgets ?? [], flags) },
      text: () => budgetTable(budgets, this.view, flags),
    };
  }
}
