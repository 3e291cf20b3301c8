import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { dashboardStatus } from '../../cli/company-view.ts';
import { companyFlag } from '../../cli/flags/company-flag.ts';

export default class DashboardAddCard extends PartnerCommand {
  static override summary = 'Put a test card on file, on the bundled engine';
  static override description = 'What people do in the dashboard; the partner API cannot.';
  static override examples = ['partner dashboard add-card'];
  static override flags = companyFlag;

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(DashboardAddCard);
    const { operator, companyId } = await this.engine();
    const status = await operator.dashboard.addCard(await companyId(flags.company));
    return { json: status, text: () => dashboardStatus(status, this.view) };
  }
}
