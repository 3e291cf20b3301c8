import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { dashboardStatus } from '../../cli/company-view.ts';
import { companyFlag } from '../../cli/flags/company-flag.ts';

export default class DashboardStatus extends PartnerCommand {
  static override summary = 'Show terms, card and jobs of a company, on the bundled engine';
  static override examples = ['partner dashboard status', 'partner dashboard status --json'];
  static override flags = companyFlag;

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(DashboardStatus);
    const { operator, companyId } = await this.engine();
    const status = await operator.dashboard.status(await companyId(flags.company));
    return { json: status, text: () => dashboardStatus(status, this.view) };
  }
}
