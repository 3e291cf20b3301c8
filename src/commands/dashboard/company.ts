import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { companyFlag } from '../../cli/flags/flag-values.ts';
import { dashboardStatus } from './company-view.ts';

/** One call of the dashboard, and how the company is then. */
abstract class CompanyCommand extends PartnerCommand {
  static override flags = companyFlag;

  protected abstract readonly does: 'status' | 'addCard' | 'removeCard';

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(this.ctor as unknown as typeof CompanyCommand);
    const { operator, companyId } = await this.engine();
    const status = await operator.dashboard[this.does](await companyId(flags.company));
    return { json: status, text: () => dashboardStatus(status, this.view) };
  }
}

export class DashboardStatus extends CompanyCommand {
  static override summary = 'Show terms, card and jobs of a company, on the bundled engine';
  static override examples = ['partner dashboard status', 'partner dashboard status --json'];

  protected override readonly does = 'status';
}

export class DashboardAddCard extends CompanyCommand {
  static override summary = 'Put a test card on file, on the bundled engine';
  static override description = 'People do this in the dashboard; the partner API cannot.';
  static override examples = ['partner dashboard add-card'];

  protected override readonly does = 'addCard';
}

export class DashboardRemoveCard extends CompanyCommand {
  static override summary = 'Take the card off file, on the bundled engine';
  static override description =
    'People do this in the dashboard; the partner API cannot. Nothing is published without a card: PAYMENT_METHOD_REQUIRED, exit 5. What is live stays live.';
  static override examples = ['partner dashboard remove-card'];

  protected override readonly does = 'removeCard';
}
