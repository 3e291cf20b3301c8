import type { Outcome } from '../../../cli/base-command.ts';
import { EngineCommand } from '../../../cli/engine-command.ts';
import { createRequiredArg } from '../../../cli/flags/flag-values.ts';
import { clean } from '../../../cli/terminal/view.ts';

export default class CompaniesCreate extends EngineCommand {
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
