import { type Outcome, PartnerCommand } from '../../base-command.ts';
import { companyFlag } from '../../command-line/company-flag.ts';
import { dashboardStatus } from '../../ui/views/engine.ts';

export default class DashboardRemoveCard extends PartnerCommand {
  static override summary = 'Take the card off file, on the bundled engine';
  static override description =
    'What people do in the dashboard; the partner API cannot. Nothing is published without a card: PAYMENT_METHOD_REQUIRED, exit 5. What is live stays live.';
  static override examples = ['partner dashboard remove-card'];
  static override flags = companyFlag;

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(DashboardRemoveCard);
    const { operator, companyId } = await this.engine();
    const status = await operator.dashboard.removeCard(await companyId(flags.company));
    return { json: status, text: () => dashboardStatus(status, this.view) };
  }
}
