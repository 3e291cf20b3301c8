import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand, termsText } from '../../cli/engine-command.ts';
import { companyFlag, yesFlag } from '../../cli/flags/flag-values.ts';
import { viewOfErr } from '../../cli/terminal/view.ts';
import type { Terms } from '../../engine/companies/terms.ts';
import { dashboardStatus, termsAccepted } from './company.ts';

export default class DashboardAcceptTerms extends EngineCommand {
  static override summary = 'Accept the employer terms on the bundled engine';
  static override description =
    "Only the bundled engine supports this command. For other servers, use the server's dashboard. On a terminal, the command shows the current version and prompts, unless you pass --yes. `partner engine terms show` prints the terms.";
  static override examples = [
    'partner dashboard accept-terms',
    'partner dashboard accept-terms --yes --json',
  ];
  static override flags = {
    ...companyFlag,
    ...yesFlag,
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(DashboardAcceptTerms);
    const { operator, companyId } = await this.engine();
    const { dashboard } = operator;
    const company = await companyId(flags.company);
    const before = await dashboard.status(company);
    const isAsked = this.streams.canAsk && !flags.yes && !before.terms.accepted;
    const read = isAsked ? await this.confirmTerms(await operator.terms.current(), before.name) : undefined;
    const status = await dashboard.acceptTerms(company, read);
    const text = () => termsAccepted(status, this.view) + dashboardStatus(status, this.view);
    return { json: status, text };
  }

  /** Returns the accepted version. Throws INTERRUPTED if the user declines. */
  private async confirmTerms(terms: Terms, company: string): Promise<string> {
    await this.streams.writeErr(`${termsText(terms, viewOfErr(this.streams, this.view.now))}\n`);
    await this.mustConfirm(`Accept these terms for ${company}?`, '--yes');
    return terms.version;
  }
}
