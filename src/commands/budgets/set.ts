import * as Args from '@oclif/core/args';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { budgetTable } from '../../cli/budget-table.ts';
import { capWarnings, changeCaps } from '../../cli/caps.ts';
import { budgetFlags, budgetsGiven, noCapGiven } from '../../cli/flags/budget-flags.ts';
import { jobId } from '../../cli/flags/job-id.ts';

export default class BudgetsSet extends PartnerCommand {
  static override summary = 'Cap what a job may cost';
  static override description =
    'The given windows are set and the others stay; --replace drops them. A cap of 0 stops all spending; no cap means unlimited.';
  static override examples = [
    'partner budgets set 12 --daily-cents 5000 --monthly-cents 90000',
    'partner budgets set 12 --lifetime-cents 250000 --notes "Q3 campaign" --replace',
  ];
  static override args = {
    job: Args.string({ required: true, ignoreStdin: true, description: "The job's id" }),
  };
  static override flags = budgetFlags;

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(BudgetsSet);
    const id = jobId(args.job);
    const given = budgetsGiven(flags);
    if (given.length === 0) throw noCapGiven();
    const { client } = await this.connect();
    const { job, moved } = await changeCaps(client, id, { drop: flags.replace ? 'all' : [], given });
    for (const line of moved) await this.note(line);
    return {
      json: { items: job.budgets },
      text: () => budgetTable(job.budgets, this.view),
      hint: capWarnings(job),
    };
  }
}
