import { CompanyCommand } from './company-view.ts';

export default class DashboardAddCard extends CompanyCommand {
  static override summary = 'Add a test card on the bundled engine';
  static override description =
    "Only the bundled engine supports this command. For other servers, use the server's dashboard.";
  static override examples = ['partner dashboard add-card'];

  protected override readonly action = 'addCard';
}
