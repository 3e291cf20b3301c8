import { type Outcome, PartnerCommand } from '../../../cli/base-command.ts';
import { KEY_COLUMNS, keyTable } from '../../../cli/company-view.ts';
import { companyFlag } from '../../../cli/flags/company-flag.ts';
import { listFlags, listShape } from '../../../cli/flags/list-flags.ts';
import { sorted } from '../../../cli/terminal/list-shape.ts';

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
