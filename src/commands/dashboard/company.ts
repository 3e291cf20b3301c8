import * as Flags from '@oclif/core/flags';
import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { companyFlag } from '../../cli/flags/flag-values.ts';
import { viewOfErr } from '../../cli/terminal/view.ts';
import { termsText } from '../../cli/terms-view.ts';
import type { Terms } from '../../engine/companies/terms.ts';
import { dashboardStatus, termsAccepted } from './company-view.ts';

abstract class CompanyCommand extends EngineCommand {
  static override flags = companyFlag;

  protected abstract readonly does: 'status' | 'addCard' | 'removeCard';

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(this.ctor as unknown as typeof CompanyCommand);
    const { operator, companyId } = await this.engine({ access: this.does === 'status' ? 'read' : 'write' });
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

export class DashboardAcceptTerms extends EngineCommand {
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
