import * as Args from '@oclif/core/args';
import { type Outcome, PartnerCommand } from '../../../cli/base-command.ts';
import { clean } from '../../../cli/terminal/clean.ts';

export default class CompaniesCreate extends PartnerCommand {
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
