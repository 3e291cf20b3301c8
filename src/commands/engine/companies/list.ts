import { type Outcome, PartnerCommand } from '../../../base-command.ts';
import { listFlags, listShape } from '../../../command-line/list-flags.ts';
import { sorted } from '../../../ui/list-shape.ts';
import { COMPANY_COLUMNS, companyTable } from '../../../ui/views/engine.ts';

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
