import type { Outcome } from '../../cli/base-command.ts';
import { capsAfter } from '../../cli/caps.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { budgetFlags, capsIn } from '../../cli/flags/cap-flags.ts';
import { choiceFlag, companyFlag } from '../../cli/flags/flag-values.ts';
import { BUDGET_WINDOWS } from '../../contract/values.ts';
import { dashboardStatus } from './company-view.ts';

export default class DashboardSetBudget extends EngineCommand {
  static override summary = 'Cap what all jobs of a company may cost together, on the bundled engine';
  static override description =
    "People do this in the dashboard; the partner API cannot. The given windows are set and the others stay; --replace drops them, --clear removes some. A cap of 0 stops all spending; no cap means unlimited. What was spent stays spent: a cap that is set again counts it. A job's own caps hold beside these.";
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
      description: 'Remove this cap; several times for several, `all` for every one',
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
      capsAfter(standing, { drop, given: capsIn(flags) }),
    );
    return { json: status, text: () => dashboardStatus(status, this.view) };
  }
}
