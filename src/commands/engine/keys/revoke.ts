import type { Outcome } from '../../../cli/base-command.ts';
import { EngineCommand } from '../../../cli/engine-command.ts';
import { createRequiredArg } from '../../../cli/flags/flag-values.ts';

export default class KeysRevoke extends EngineCommand {
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
