import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { companyFlag } from '../../cli/flags/flag-values.ts';
import { viewOfErr } from '../../cli/terminal/view.ts';
import { termsText } from '../../cli/terms-view.ts';
import type { Terms } from '../../engine/companies/terms.ts';
import { dashboardStatus, termsAccepted } from './company-view.ts';

export default class DashboardAcceptTerms extends PartnerCommand {
  static override summary = 'Accept the employer terms, on the bundled engine';
  static override description =
    'People do this in the dashboard; the partner API cannot. On a terminal it shows the version in force and asks; elsewhere, and with --yes, it accepts. `partner engine terms show` prints them.';
  static override examples = [
    'partner dashboard accept-terms',
    'partner dashboard accept-terms --yes --json',
  ];
  static override flags = {
    ...companyFlag,
    yes: Flags.boolean({ char: 'y', description: 'Accept without asking' }),
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(DashboardAcceptTerms);
    const { operator, companyId } = await this.engine();
    const { dashboard } = operator;
    const company = await companyId(flags.company);
    const before = await dashboard.status(company);
    const isAsked = this.streams.canAsk && !flags.yes && !before.terms.accepted;
    const read = isAsked ? await this.agreed(await operator.terms.current(), before.name) : undefined;
    const status = await dashboard.acceptTerms(company, read);
    const text = () => termsAccepted(status, this.view) + dashboardStatus(status, this.view);
    return { json: status, text };
  }

  /** Shows the terms and asks; gives the version that was read. Throws INTERRUPTED for a no. */
  private async agreed(terms: Terms, company: string): Promise<string> {
    await this.streams.writeErr(`${termsText(terms, viewOfErr(this.streams, this.view.now))}\n`);
    await this.mustConfirm(`Accept these terms for ${company}?`, '--yes');
    return terms.version;
  }
}
