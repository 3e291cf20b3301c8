import type { Outcome } from '../../cli/base-command.ts';
import { mergeCaps } from '../../cli/caps.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { budgetFlags, readCaps } from '../../cli/flags/cap-flags.ts';
import { choiceFlag, companyFlag } from '../../cli/flags/flag-values.ts';
import { BUDGET_WINDOWS } from '../../contract/values.ts';
import { dashboardStatus } from './company.ts';

export default class DashboardSetBudget extends EngineCommand {
  static override summary = "Set a company's spend caps on the bundled engine";
  static override description =
    "Only the bundled engine supports this command. For other servers, use the server's dashboard. Sets a cap for each window you specify. Other caps are unchanged, unless you pass --replace or --clear. A cap of 0 stops all spending. No cap means unlimited. Removing a cap doesn't reset the amount spent. Each job's own caps also apply.";
  static override examples = [
    'partner dashboard set-budget --daily-cents 20000 --monthly-cents 400000',
    'partner dashboard set-budget --weekly-cents 90000 --notes "Q3 campaign" --replace',
    'partner dashboard set-budget --clear DAILY --clear WEEKLY',
    'partner dashboard set-budget --clear all',
  ];
  static override flags = {
    ...budgetFlags(['clear']),
    clear: choiceFlag([...BUDGET_WINDOWS, 'all'])({
      multiple: true,
      description: 'Cap to remove (`all` removes every cap)',
    }),
    ...companyFlag,
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(DashboardSetBudget);
    const { clear: cleared = [] } = flags;
    const { operator, companyId } = await this.engine();
    const company = await companyId(flags.company);
    const isAll = flags.replace || cleared.includes('all');
    const drop = isAll ? 'all' : cleared.filter((window) => window !== 'all');
    const status = await operator.dashboard.setBudgets(company, (standing) =>
      mergeCaps(standing, { drop, given: readCaps(flags) }),
    );
    return { json: status, text: () => dashboardStatus(status, this.view) };
  }
}
