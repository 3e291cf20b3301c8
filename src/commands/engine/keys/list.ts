import type { Outcome } from '../../../cli/base-command.ts';
import { EngineCommand } from '../../../cli/engine-command.ts';
import { listFlags, textFlag } from '../../../cli/flags/flag-values.ts';
import { type Column, sortItems, table } from '../../../cli/terminal/table.ts';
import { moment, timeColumn } from '../../../cli/terminal/words.ts';
import type { ListedKey } from '../../../engine/companies/keys.ts';

const COLUMNS: readonly Column<ListedKey>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name ?? '', shrinksTo: 8 },
  { title: 'COMPANY', text: ({ companyId }) => companyId, shrinksTo: 8, givesWay: 4 },
  { title: 'KEY', text: ({ last4 }) => `sk_ext_…${last4}` },
  { ...timeColumn('CREATED', ({ createdAt }) => createdAt, moment), givesWay: 3 },
  { ...timeColumn('LAST USED', ({ lastUsedAt }) => lastUsedAt, moment), givesWay: 2 },
  { ...timeColumn('REVOKED', ({ revokedAt }) => revokedAt, moment), style: () => 'red' },
];

export default class KeysList extends EngineCommand {
  static override summary = 'List partner keys';
  static override description =
    'LAST USED is accurate to the hour and includes only requests to `engine serve`.';
  static override examples = ['partner engine keys list', 'partner engine keys list --json'];
  static override flags = {
    company: textFlag('ID', 'Filter by company'),
    ...listFlags(COLUMNS),
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(KeysList);
    const engine = await this.engine({ access: 'read' });
    const company = flags.company === undefined ? undefined : await engine.companyId(flags.company);
    const items = await engine.operator.keys.list(company);
    return {
      json: { items: sortItems(items, flags) },
      text: () => table(COLUMNS, items, this.view, 'No keys.', flags),
    };
  }
}
