import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { budgetTable, capWarnings, changeCaps } from '../../cli/caps.ts';
import { budgetFlags, readCaps } from '../../cli/flags/cap-flags.ts';
import { jobIdArg, yesFlag } from '../../cli/flags/flag-values.ts';
import { findDifferences } from '../../contract/entries.ts';
import { differenceWarnings } from '../../reports/changes.ts';

export default class BudgetsSet extends PartnerCommand {
  static override summary = 'Set spend caps for a job';
  static override description =
    'Sets a cap for each window you specify. Other caps are unchanged, unless you pass --replace. A cap of 0 stops all spending. No cap means unlimited.';
  static override examples = [
    'partner budgets set 12 --daily 50 --monthly 900',
    'partner budgets set 12 --lifetime-cents 250000 --notes "Q3 campaign" --replace',
  ];
  static override args = { job: jobIdArg };
  static override flags = { ...budgetFlags(), ...yesFlag };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(BudgetsSet);
    const { client } = await this.connect();
    const change = { drop: flags.replace ? ('all' as const) : [], given: readCaps(flags) };
    const { job, sent } = await changeCaps(client, args.job, change, (describe) =>
      this.confirmChange(flags.yes, describe),
    );
    await this.note(differenceWarnings(findDifferences(sent, job), job), false);
    return {
      json: { items: job.budgets },
      text: () => budgetTable(job.budgets, this.view),
      hint: capWarnings(job),
    };
  }
}
