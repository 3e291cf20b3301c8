import { CompanyCommand } from './company-view.ts';

export default class DashboardRemoveCard extends CompanyCommand {
  static override summary = 'Remove the card on the bundled engine';
  static override description =
    "Only the bundled engine supports this command. For other servers, use the server's dashboard. Without a card, publishing fails with PAYMENT_METHOD_REQUIRED (exit 5). Live jobs aren't affected.";
  static override examples = ['partner dashboard remove-card'];

  protected override readonly action = 'removeCard';
}
