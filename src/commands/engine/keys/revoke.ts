import * as Args from '@oclif/core/args';
import { type Outcome, PartnerCommand } from '../../../cli/base-command.ts';

export default class KeysRevoke extends PartnerCommand {
  static override summary = 'Revoke a partner key';
  static override examples = ['partner engine keys revoke KEY_ID'];
  static override args = {
    key: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'The id of the key, from `engine keys list`',
    }),
  };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(KeysRevoke);
    const { operator } = await this.engine();
    await operator.keys.revoke(args.key);
    return { json: { id: args.key, revoked: true }, text: () => `Revoked ${args.key}\n` };
  }
}
