import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { companyFlag } from '../../cli/flags/flag-values.ts';
import { dashboardStatus } from './company-view.ts';

export default class DashboardRemoveCard extends EngineCommand {
  static override summary = 'Remove the card on the bundled engine';
  static override description =
    "Only the bundled engine supports this command. For other servers, use the server's dashboard. Without a card, publishing fails with PAYMENT_METHOD_REQUIRED (exit 5). Live jobs aren't affected.";
  static override examples = ['partner dashboard remove-card'];
  static override flags = companyFlag;

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(DashboardRemoveCard);
    const { operator, companyId } = await this.engine();
    const status = await operator.dashboard.removeCard(await companyId(flags.company));
    return { json: status, text: () => dashboardStatus(status, this.view) };
  }
}
