import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { companyFlag } from '../../cli/flags/flag-values.ts';
import { dashboardStatus } from './company-view.ts';

abstract class CardCommand extends EngineCommand {
  static override flags = companyFlag;

  protected abstract readonly does: 'addCard' | 'removeCard';

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(this.ctor as unknown as typeof CardCommand);
    const { operator, companyId } = await this.engine();
    const status = await operator.dashboard[this.does](await companyId(flags.company));
    return { json: status, text: () => dashboardStatus(status, this.view) };
  }
}

export class DashboardAddCard extends CardCommand {
  static override summary = 'Add a test card on the bundled engine';
  static override description =
    "Only the bundled engine supports this command. For other servers, use the server's dashboard.";
  static override examples = ['partner dashboard add-card'];

  protected override readonly does = 'addCard';
}

export class DashboardRemoveCard extends CardCommand {
  static override summary = 'Remove the card on the bundled engine';
  static override description =
    "Only the bundled engine supports this command. For other servers, use the server's dashboard. Without a card, publishing fails with PAYMENT_METHOD_REQUIRED (exit 5). Live jobs aren't affected.";
  static override examples = ['partner dashboard remove-card'];

  protected override readonly does = 'removeCard';
}
