import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { companyFlag } from '../../cli/flags/flag-values.ts';
import { dashboardStatus } from './company-view.ts';

export default class DashboardStatus extends EngineCommand {
  static override summary = "Show a company's terms, card and jobs on the bundled engine";
  static override examples = ['partner dashboard status', 'partner dashboard status --json'];
  static override flags = companyFlag;

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(DashboardStatus);
    const { operator, companyId } = await this.engine({ access: 'read' });
    const status = await operator.dashboard.status(await companyId(flags.company));
    return { json: status, text: () => dashboardStatus(status, this.view) };
  }
}
