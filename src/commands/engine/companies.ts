import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { createRequiredArg, listFlags } from '../../cli/flags/flag-values.ts';
import { type Column, sortItems, table } from '../../cli/terminal/table.ts';
import { clean } from '../../cli/terminal/view.ts';
import type { Company } from '../../engine/companies/company.ts';

export class CompaniesCreate extends EngineCommand {
  static override summary = 'Create a company on the bundled engine';
  static override examples = ['partner engine companies create "Acme Staffing" --json'];
  static override args = { name: createRequiredArg('Company name') };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(CompaniesCreate);
    const { operator } = await this.engine();
    const { id, name } = await operator.companies.create(args.name);
    return {
      json: { id, name },
      text: () => `${clean(id)}\t${clean(name)}\n`,
      hint: `create a key for it with \`partner engine keys create --company ${id}\``,
    };
  }
}

const COLUMNS: readonly Column<Company>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name, shrinksTo: 12 },
];

export class CompaniesList extends EngineCommand {
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
