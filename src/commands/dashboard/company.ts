import type { Outcome } from '../../cli/base-command.ts';
import { budgetStateLines } from '../../cli/caps.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { companyFlag } from '../../cli/flags/flag-values.ts';
import { clean, details, section, successText, type View } from '../../cli/terminal/view.ts';
import { statusCounts } from '../../contract/words.ts';
import type { Dashboard } from '../../engine/companies/dashboard.ts';

type CompanyStatus = Awaited<ReturnType<Dashboard['status']>>;

/** Runs an action on a company and shows the company's status. */
export abstract class CompanyCommand extends EngineCommand {
  static override flags = companyFlag;
  protected abstract readonly action: 'status' | 'addCard' | 'removeCard';

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(this.ctor as unknown as typeof CompanyCommand);
    const access = this.action === 'status' ? 'read' : 'write';
    const { operator, companyId } = await this.engine({ access });
    const status = await operator.dashboard[this.action](await companyId(flags.company));
    return { json: status, text: () => dashboardStatus(status, this.view) };
  }
}

export class DashboardStatus extends CompanyCommand {
  static override summary = "Show a company's terms, card and jobs on the bundled engine";
  static override examples = ['partner dashboard status', 'partner dashboard status --json'];

  protected override readonly action = 'status';
}

export class DashboardAddCard extends CompanyCommand {
  static override summary = 'Add a test card on the bundled engine';
  static override description =
    "Only the bundled engine supports this command. For other servers, use the server's dashboard.";
  static override examples = ['partner dashboard add-card'];

  protected override readonly action = 'addCard';
}

export class DashboardRemoveCard extends CompanyCommand {
  static override summary = 'Remove the card on the bundled engine';
  static override description =
    "Only the bundled engine supports this command. For other servers, use the server's dashboard. Without a card, publishing fails with PAYMENT_METHOD_REQUIRED (exit 5). Live jobs aren't affected.";
  static override examples = ['partner dashboard remove-card'];

  protected override readonly action = 'removeCard';
}

export function dashboardStatus(status: CompanyStatus, view: View): string {
  const { companyId, name, terms, card, budgets, jobs } = status;
  const open = (text: string): string => view.paint('yellow', text);
  const version = clean(terms.currentVersion);
  const outdated = terms.acceptedVersion === null ? '' : ` · ${clean(terms.acceptedVersion)} was accepted`;
  const unaccepted = `${open(`version ${version} isn't accepted`)}${outdated}`;
  const facts = [
    ['Company', `${clean(name)} · ${companyId}`],
    ['Terms', terms.accepted ? `accepted, version ${version}` : unaccepted],
    ['Card', card === null ? open('none on file') : `${clean(card.brand)} ending in ${clean(card.last4)}`],
    ['Jobs', statusCounts(jobs)],
    ['Spending', budgets.length === 0 ? 'unlimited (no caps)' : undefined],
  ] as const;
  return details(facts, view) + section('Caps across all jobs', budgetStateLines(budgets, view), view);
}

export function termsAccepted({ name, terms }: CompanyStatus, view: View): string {
  const said = `${clean(name)} accepted the employer terms, version ${clean(terms.currentVersion)}`;
  return successText(said, view);
}
