import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { companyFlag } from '../../cli/flags/flag-values.ts';
import { dashboardStatus } from './company-view.ts';

export class DashboardStatus extends PartnerCommand {
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

export class DashboardAddCard extends PartnerCommand {
  static override summary = 'Put a test card on file, on the bundled engine';
  static override description = 'People do this in the dashboard; the partner API cannot.';
  static override examples = ['partner dashboard add-card'];
  static override flags = companyFlag;

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(DashboardAddCard);
    const { operator, companyId } = await this.engine();
    const status = await operator.dashboard.addCard(await companyId(flags.company));
    return { json: status, text: () => dashboardStatus(status, this.view) };
  }
}

export class DashboardRemoveCard extends PartnerCommand {
  static override summary = 'Take the card off file, on the bundled engine';
  static override description =
    'People do this in the dashboard; the partner API cannot. Nothing is published without a card: PAYMENT_METHOD_REQUIRED, exit 5. What is live stays live.';
  static override examples = ['partner dashboard remove-card'];
  static override flags = companyFlag;

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(DashboardRemoveCard);
    const { operator, companyId } = await this.engine();
    const status = await operator.dashboard.removeCard(await companyId(flags.company));
    return { json: status, text: () => dashboardStatus(status, this.view) };
  }
}
