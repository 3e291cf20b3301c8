import { CompanyCommand } from './company-view.ts';

export default class DashboardStatus extends CompanyCommand {
  static override summary = "Show a company's terms, card and jobs on the bundled engine";
  static override examples = ['partner dashboard status', 'partner dashboard status --json'];

  protected override readonly action = 'status';
}
