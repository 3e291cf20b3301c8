import { type Outcome, PartnerCommand } from '../../../base-command.ts';
import { companyFlag } from '../../../command-line/company-flag.ts';
import { keyTable } from '../../../ui/views/engine.ts';

export default class KeysList extends PartnerCommand {
  static override summary = 'List partner keys by their last characters';
  static override examples = ['partner engine keys list', 'partner engine keys list --json'];
  static override flags = companyFlag;

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(KeysList);
    const engine = await this.engine();
    const items = await engine.operator.keys.list(await engine.companyId(flags.company));
    return { json: { items }, text: () => keyTable(items, this.view) };
  }
}
