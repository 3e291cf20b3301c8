import { type Outcome, PartnerCommand } from '../../../base-command.ts';
import { companyFlag } from '../../../command-line/company-flag.ts';
import { listFlags, listShape } from '../../../command-line/list-flags.ts';
import { sorted } from '../../../ui/list-shape.ts';
import { KEY_COLUMNS, keyTable } from '../../../ui/views/engine.ts';

export default class KeysList extends PartnerCommand {
  static override summary = 'List partner keys by their last characters';
  static override examples = ['partner engine keys list', 'partner engine keys list --json'];
  static override flags = { ...companyFlag, ...listFlags(KEY_COLUMNS) };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(KeysList);
    const shape = listShape(flags, KEY_COLUMNS);
    const engine = await this.engine();
    const items = await engine.operator.keys.list(await engine.companyId(flags.company));
    return { json: { items: sorted(items, shape) }, text: () => keyTable(items, this.view, shape) };
  }
}
