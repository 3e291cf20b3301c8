import { type Outcome, PartnerCommand } from '../../../cli/base-command.ts';
import { COMPANY_COLUMNS, companyTable } from '../../../cli/company-view.ts';
import { listFlags, listShape } from '../../../cli/flags/list-flags.ts';
import { sorted } from '../../../cli/terminal/list-shape.ts';

export default class CompaniesList extends PartnerCommand {
  static override summary = 'List the companies of the bundled engine';
  static override examples = ['partner engine companies list --json'];
  static override flags = listFlags(COMPANY_COLUMNS);

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(CompaniesList);
    const shape = listShape(flags, COMPANY_COLUMNS);
    const { operator } = await this.engine();
    const items = await operator.companies.list();
    return { json: { items: sorted(items, shape) }, text: () => companyTable(items, this.view, shape) };
  }
}
