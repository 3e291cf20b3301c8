import { type Outcome, PartnerCommand } from '../../../cli/base-command.ts';
import { companyFlag } from '../../../cli/flags/company-flag.ts';

export default class KeysCreate extends PartnerCommand {
  static override summary = 'Issue a partner key';
  static override description = 'The key is shown this once; the engine keeps a digest of it only.';
  static override examples = [
    'partner engine keys create',
    "partner engine keys create --company COMPANY_ID --json | jq -r '.key'",
  ];
  static override flags = companyFlag;

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(KeysCreate);
    const engine = await this.engine();
    const { key, id, companyId } = await engine.operator.keys.create(await engine.companyId(flags.company));
    return {
      json: { key, id, companyId },
      text: () => `${key}\n`,
      verbatim: 'key',
      hint: 'keep it now: it is not shown again',
    };
  }
}
