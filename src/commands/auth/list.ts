import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { listFlags, listShape } from '../../cli/flags/list-flags.ts';
import { directories } from '../../cli/settings/directories.ts';
import { listProfiles } from '../../cli/settings/profiles.ts';
import { sorted } from '../../cli/terminal/list-shape.ts';
import { keyLabel, withoutPassword } from '../../contract/mask.ts';
import { PROFILE_COLUMNS, profileTable } from './profile-table.ts';

export default class AuthList extends PartnerCommand {
  static override summary = 'List the profiles';
  static override examples = ['partner auth list', 'partner auth list --json'];
  static override flags = listFlags(PROFILE_COLUMNS);

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(AuthList);
    const shape = listShape(flags, PROFILE_COLUMNS);
    const profiles = listProfiles(directories(this.context.env).config);
    const items = sorted(profiles, shape).map((profile) => ({
      ...profile,
      key: profile.key === undefined ? null : keyLabel(profile.key),
      ...(profile.proxy === undefined ? {} : { proxy: withoutPassword(profile.proxy) }),
    }));
    return { json: { items }, text: () => profileTable(profiles, this.view, shape) };
  }
}
