import type { Outcome } from '../../../cli/base-command.ts';
import { EngineCommand } from '../../../cli/engine-command.ts';
import { listFlags } from '../../../cli/flags/flag-values.ts';
import { type Column, sortItems, table } from '../../../cli/terminal/table.ts';
import type { Company } from '../../../engine/companies/company.ts';

const COLUMNS: readonly Column<Company>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name, shrinksTo: 12 },
];

export default class CompaniesList extends EngineCommand {
  static override summary = 'List the companies of the bundled engine';
  static override examples = ['partner engine companies list --json'];
  static override flags = listFlags(COLUMNS);

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(CompaniesList);
    const { operator } = await this.engine({ access: 'read' });
    const items = await operator.companies.list();
    return {
      json: { items: sortItems(items, flags) },
      text: () => table(COLUMNS, items, this.view, 'No companies.', flags),
    };
  }
}
