import { type Outcome, PartnerCommand } from '../../base-command.ts';
import { listFlags, listShape } from '../../command-line/list-flags.ts';
import { keyLabel, withoutPassword } from '../../contract/mask.ts';
import { directories } from '../../settings/directories.ts';
import { listProfiles } from '../../settings/profiles.ts';
import { sorted } from '../../ui/list-shape.ts';
import { PROFILE_COLUMNS, profileTable } from '../../ui/views/profiles.ts';

export default class AuthList extends PartnerCommand {
  static override summary = 'List the profiles';
  static override examples = ['partner auth list', 'partner auth list --json'];
  static override flags = listFlags(PROFILE_COLUMNS);

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(AuthList);
    const shape = listShape(flags, PROFILE_COLUMNS);
    const profiles = listProfiles(directories(this.surroundings.env).config);
    const items = sorted(profiles, shape).map((profile) => ({
      ...profile,
      key: profile.key === undefined ? null : keyLabel(profile.key),
      ...(profile.proxy === undefined ? {} : { proxy: withoutPassword(profile.proxy) }),
    }));
    return { json: { items }, text: () => profileTable(profiles, this.view, shape) };
  }
}
