import { type Outcome, PartnerCommand } from '../../../base-command.ts';
import { companyTable } from '../../../ui/views/engine.ts';

export default class CompaniesList extends PartnerCommand {
  static override summary = 'List the companies of the bundled engine';
  static override examples = ['partner engine companies list --json'];

  protected override async perform(): Promise<Outcome> {
    await this.parse(CompaniesList);
    const { operator } = await this.engine();
    const items = await operator.companies.list();
    return { json: { items }, text: () => companyTable(items, this.view) };
  }
}
