import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { BUDGET_COLUMNS, budgetTable, capWarnings, changeCaps } from '../../cli/caps.ts';
import { budgetFlags, capsIn } from '../../cli/flags/cap-flags.ts';
import { choiceFlag, jobIdArg } from '../../cli/flags/flag-values.ts';
import { listFlags } from '../../cli/flags/list-flags.ts';
import { sorted } from '../../cli/terminal/column.ts';
import { BUDGET_WINDOWS } from '../../contract/values.ts';

export class BudgetsGet extends PartnerCommand {
  static override summary = "Show a job's spend caps";
  static override examples = ['partner budgets get 12', 'partner budgets get 12 --json'];
  static override args = { job: jobIdArg };
  static override flags = listFlags(BUDGET_COLUMNS);

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(BudgetsGet);
    const { client } = await this.connect({ access: 'read' });
    const { budgets } = await client.getJob(args.job);
    return {
      json: { items: sorted(budgets ?? [], flags) },
      text: () => budgetTable(budgets, this.view, flags),
    };
  }
}

export class BudgetsSet extends PartnerCommand {
  static override summary = 'Cap what a job may cost';
  static override description =
    'The given windows are set and the others stay; --replace drops them. A cap of 0 stops all spending; no cap means unlimited.';
  static override examples = [
    'partner budgets set 12 --daily-cents 5000 --monthly-cents 90000',
    'partner budgets set 12 --lifetime-cents 250000 --notes "Q3 campaign" --replace',
  ];
  static override args = { job: jobIdArg };
  static override flags = budgetFlags();

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(BudgetsSet);
    const { client } = await this.connect();
    const change = { drop: flags.replace ? ('all' as const) : [], given: capsIn(flags) };
    const { job, sent } = await changeCaps(client, args.job, change);
    await this.warnUnlessAsSent(sent, job);
    return {
      json: { items: job.budgets },
      text: () => budgetTable(job.budgets, this.view),
      hint: capWarnings(job),
    };
  }
}

export class BudgetsClear extends PartnerCommand {
  static override summary = "Remove a job's spend caps";
  static override description = 'What was spent stays spent: a cap that is set again counts it.';
  static override examples = ['partner budgets clear 12', 'partner budgets clear 12 --window DAILY'];
  static override args = { job: jobIdArg };
  static override flags = { window: choiceFlag(BUDGET_WINDOWS)({ description: 'Only this cap' }) };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(BudgetsClear);
    const { client } = await this.connect();
    const drop = flags.window === undefined ? 'all' : [flags.window];
    const { job, sent } = await changeCaps(client, args.job, { drop, given: [] });
    await this.warnUnlessAsSent(sent, job);
    const { budgets } = job;
    return { json: { items: budgets }, text: () => budgetTable(budgets, this.view) };
  }
}
