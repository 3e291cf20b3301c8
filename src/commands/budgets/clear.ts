import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { budgetTable, changeCaps } from '../../cli/caps.ts';
import { choiceFlag, jobIdArg, yesFlag } from '../../cli/flags/flag-values.ts';
import { findDifferences } from '../../contract/entries.ts';
import { BUDGET_WINDOWS } from '../../contract/values.ts';
import { differenceWarnings } from '../../reports/changes.ts';

export default class BudgetsClear extends PartnerCommand {
  static override summary = "Remove a job's spend caps";
  static override description =
    "Removing a cap doesn't reset the amount spent. If you set the cap again, the earlier spend counts.";
  static override examples = ['partner budgets clear 12', 'partner budgets clear 12 --window DAILY'];
  static override args = { job: jobIdArg };
  static override flags = {
    window: choiceFlag(BUDGET_WINDOWS)({ shown: { default: 'all' }, description: 'Cap to remove' }),
    ...yesFlag,
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(BudgetsClear);
    const { client } = await this.connect();
    const drop = flags.window === undefined ? 'all' : [flags.window];
    const { job, sent } = await changeCaps(client, args.job, { drop, given: [] }, (describe) =>
      this.confirmChange(flags.yes, describe),
    );
    await this.note(differenceWarnings(findDifferences(sent, job), job), false);
    const { budgets } = job;
    return { json: { items: budgets }, text: () => budgetTable(budgets, this.view) };
  }
}
