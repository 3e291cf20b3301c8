import * as Args from '@oclif/core/args';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { COMPANY_COLUMNS, companyTable } from '../../cli/company-view.ts';
import { listFlags, listShape } from '../../cli/flags/list-flags.ts';
import { clean } from '../../cli/terminal/clean.ts';
import { sorted } from '../../cli/terminal/list-shape.ts';

export class CompaniesCreate extends PartnerCommand {
  static override summary = 'Make a company on the bundled engine';
  static override examples = ['partner engine companies create "Acme Staffing" --json'];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: "The company's name" }),
  };

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

export class CompaniesList extends PartnerCommand {
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
