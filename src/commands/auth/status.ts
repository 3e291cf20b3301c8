import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { directories } from '../../cli/settings/directories.ts';
import { configFile } from '../../cli/settings/profiles.ts';
import { keyLabel } from '../../contract/mask.ts';
import { targetStatus } from './target-view.ts';

export default class AuthStatus extends PartnerCommand {
  static override summary = 'Show where calls go, what says so, and where the key is kept';
  static override examples = ['partner auth status', 'partner auth status --profile acme --json'];

  protected override async perform(): Promise<Outcome> {
    await this.parse(AuthStatus);
    const target = await this.target();
    const { config, data } = directories(this.context.env);
    const status = {
      target: target.kind,
      baseUrl: target.kind === 'remote' ? target.baseUrl : null,
      profile: target.kind === 'remote' ? (target.profile ?? null) : null,
      key: target.key === undefined ? null : keyLabel(target.key),
      from: target.from,
      keyWithheld: target.kind === 'remote' ? (target.keyWithheld ?? null) : null,
      configFile: config === undefined ? null : configFile(config),
      dataDirectory: data ?? null,
    };
    return { json: status, text: () => targetStatus(status, this.view) };
  }
}
