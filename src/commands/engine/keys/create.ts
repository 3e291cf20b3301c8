import type { Outcome } from '../../../cli/base-command.ts';
import { EngineCommand } from '../../../cli/engine-command.ts';
import { companyFlag, textFlag } from '../../../cli/flags/flag-values.ts';

export default class KeysCreate extends EngineCommand {
  static override summary = 'Create a partner key';
  static override description = 'The key is shown only once. The engine stores only its digest.';
  static override examples = [
    'partner engine keys create',
    'partner engine keys create --name ci',
    "partner engine keys create --company COMPANY_ID --json | jq -r '.key'",
  ];
  static override flags = {
    name: textFlag('NAME', 'Name of the key'),
    ...companyFlag,
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(KeysCreate);
    const engine = await this.engine();
    const company = await engine.companyId(flags.company);
    const { key, id, companyId, name } = await engine.operator.keys.create(company, flags.name);
    return {
      json: { key, id, companyId, name },
      text: () => `${key}\n`,
      verbatim: 'key',
      hint: "save the key now. It won't be shown again",
    };
  }
}
