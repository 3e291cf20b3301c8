import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { directories } from '../../cli/settings/directories.ts';
import { configFile } from '../../cli/settings/profiles.ts';
import { clean, details } from '../../cli/terminal/view.ts';
import { keyLabel } from '../../text/outside-text.ts';

export default class AuthStatus extends PartnerCommand {
  static override summary = 'Show the active profile, server and key';
  static override examples = ['partner auth status', 'partner auth status --profile acme --json'];

  protected override async perform(): Promise<Outcome> {
    await this.parse(AuthStatus);
    const target = await this.target();
    const { config, data } = directories(this.context.env);
    const isBundled = target.kind === 'embedded';
    const status = {
      target: target.kind,
      baseUrl: isBundled ? null : target.baseUrl,
      profile: isBundled ? null : (target.profile ?? null),
      key: target.key === undefined ? null : keyLabel(target.key),
      from: target.from,
      keyWithheld: isBundled ? null : (target.keyWithheld ?? null),
      configFile: config === undefined ? null : configFile(config),
      dataDirectory: data ?? null,
    };
    const { from } = status;
    const formatSetting = (value: string | null, source = 'unset') =>
      value === null ? undefined : `${clean(value)} ${this.view.paint('dim', `(${clean(source)})`)}`;
    const rows = [
      ['Server', formatSetting(isBundled ? 'the bundled engine' : status.baseUrl, from.baseUrl)],
      ['Profile', formatSetting(status.profile, from.profile)],
      ['Key', formatSetting(status.key, from.key) ?? (isBundled ? 'the key of the bundled engine' : 'none')],
      ['', clean(status.keyWithheld ?? '')],
      ['Profiles file', clean(status.configFile ?? '')],
      ['Data directory', clean(status.dataDirectory ?? '')],
    ] as const;
    return { json: status, text: () => details(rows, this.view) };
  }
}
