import { type Outcome, PartnerCommand } from '../../base-command.ts';
import { companyFlag } from '../../command-line/company-flag.ts';
import { dashboardStatus } from '../../ui/views/engine.ts';
import { termsAccepted } from '../../ui/views/terms.ts';

export default class DashboardAcceptTerms extends PartnerCommand {
  static override summary = 'Accept the employer terms, on the bundled engine';
  static override description =
    'What people do in the dashboard; the partner API cannot. `partner engine terms show` prints what is accepted: the version in force.';
  static override examples = ['partner dashboard accept-terms'];
  static override flags = companyFlag;

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(DashboardAcceptTerms);
    const { operator, companyId } = await this.engine();
    const company = await companyId(flags.company);
    const status = await operator.dashboard.acceptTerms(company);
    const text = () => termsAccepted(status, this.view) + dashboardStatus(status, this.view);
    return { json: status, text };
  }
}
