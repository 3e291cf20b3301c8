import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { companyFlag } from '../../cli/flags/flag-values.ts';
import { dashboardStatus } from './company-view.ts';

export default class DashboardAddCard extends EngineCommand {
  static override summary = 'Add a test card on the bundled engine';
  static override description =
    "Only the bundled engine supports this command. For other servers, use the server's dashboard.";
  static override examples = ['partner dashboard add-card'];
  static override flags = companyFlag;

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(DashboardAddCard);
    const { operator, companyId } = await this.engine();
    const status = await operator.dashboard.addCard(await companyId(flags.company));
    return { json: status, text: () => dashboardStatus(status, this.view) };
  }
}
