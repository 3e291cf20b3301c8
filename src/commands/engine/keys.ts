import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { companyFlag, createRequiredArg, listFlags, textFlag } from '../../cli/flags/flag-values.ts';
import { type Column, sortItems, table } from '../../cli/terminal/table.ts';
import { moment, timeColumn } from '../../cli/terminal/words.ts';
import type { ListedKey } from '../../engine/companies/keys.ts';

export class KeysCreate extends EngineCommand {
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

const COLUMNS: readonly Column<ListedKey>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name ?? '', shrinksTo: 8 },
  { title: 'COMPANY', text: ({ companyId }) => companyId, shrinksTo: 8, givesWay: 4 },
  { title: 'KEY', text: ({ last4 }) => `sk_ext_…${last4}` },
  { ...timeColumn('CREATED', ({ createdAt }) => createdAt, moment), givesWay: 3 },
  { ...timeColumn('LAST USED', ({ lastUsedAt }) => lastUsedAt, moment), givesWay: 2 },
  { ...timeColumn('REVOKED', ({ revokedAt }) => revokedAt, moment), style: () => 'red' },
];

export class KeysList extends EngineCommand {
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

export class KeysRevoke extends EngineCommand {
  static override summary = 'Revoke a partner key';
  static override examples = ['partner engine keys revoke KEY_ID'];
  static override args = { key: createRequiredArg('Key ID from `engine keys list`') };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(KeysRevoke);
    const { operator } = await this.engine();
    await operator.keys.revoke(args.key);
    return { json: { id: args.key, revoked: true }, text: () => `Revoked ${args.key}\n` };
  }
}
