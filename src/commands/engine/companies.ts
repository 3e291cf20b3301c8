import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { requiredArg } from '../../cli/flags/flag-values.ts';
import { listFlags } from '../../cli/flags/list-flags.ts';
import { type Column, sorted } from '../../cli/terminal/column.ts';
import { table } from '../../cli/terminal/table.ts';
import { clean } from '../../cli/terminal/view.ts';
import type { Company } from '../../engine/companies/company.ts';

const COLUMNS: readonly Column<Company>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name, shrinksTo: 12 },
];

export class CompaniesCreate extends EngineCommand {
  static override summary = 'Make a company on the bundled engine';
  static override examples = ['partner engine companies create "Acme Staffing" --json'];
  static override args = { name: requiredArg("The company's name") };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(CompaniesCreate);
    const { operator } = await this.engine();
    const { id, name } = await operator.companies.create(args.name);
    return {
      json: { id, name },
      text: () => `${clean(id)}\t${clean(name)}\n`,
      hint: `give it a key: \`partner engine keys create --company ${id}\``,
    };
  }
}

export class CompaniesList extends EngineCommand {
  static override summary = 'List the companies of the bundled engine';
  static override examples = ['partner engine companies list --json'];
  static override flags = listFlags(COLUMNS);

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(CompaniesList);
    const { operator } = await this.engine({ access: 'read' });
    const items = await operator.companies.list();
    return {
      json: { items: sorted(items, flags) },
      text: () => table(COLUMNS, items, this.view, 'No companies.', flags),
    };
  }
}
