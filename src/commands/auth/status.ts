import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { directories } from '../../cli/settings/directories.ts';
import { configFile } from '../../cli/settings/profiles.ts';
import { clean, details, type View } from '../../cli/terminal/view.ts';
import { keyLabel } from '../../contract/outside-text.ts';

export default class AuthStatus extends PartnerCommand {
  static override summary = 'Show where calls go, which setting says so, and where the key is kept';
  static override examples = ['partner auth status', 'partner auth status --profile acme --json'];

  protected override async perform(): Promise<Outcome> {
    await this.parse(AuthStatus);
    const status = await this.status();
    return { json: status, text: () => statusText(status, this.view) };
  }

  private async status() {
    const target = await this.target();
    const { config, data } = directories(this.context.env);
    return {
      target: target.kind,
      baseUrl: target.kind === 'remote' ? target.baseUrl : null,
      profile: target.kind === 'remote' ? (target.profile ?? null) : null,
      key: target.key === undefined ? null : keyLabel(target.key),
      from: target.from,
      keyWithheld: target.kind === 'remote' ? (target.keyWithheld ?? null) : null,
      configFile: config === undefined ? null : configFile(config),
      dataDirectory: data ?? null,
    };
  }
}

function statusText(status: Awaited<ReturnType<AuthStatus['status']>>, view: View): string {
  const { target, baseUrl, profile, key, from, keyWithheld, configFile, dataDirectory } = status;
  const said = (value: string | null, source = 'unset') =>
    value === null ? undefined : `${clean(value)} ${view.paint('dim', `(${clean(source)})`)}`;
  const isBundled = target === 'embedded';
  return details(
    [
      ['Calls go to', said(isBundled ? 'the bundled engine' : baseUrl, from.baseUrl)],
      ['Profile', said(profile, from.profile)],
      ['Key', said(key, from.key) ?? (isBundled ? "the bundled engine's own" : 'none')],
      ['', clean(keyWithheld ?? '')],
      ['Profiles kept in', clean(configFile ?? '')],
      ['Data kept in', clean(dataDirectory ?? '')],
    ],
    view,
  );
}
