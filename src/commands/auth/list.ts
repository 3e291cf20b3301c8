import { type Outcome, PartnerCommand } from '../../base-command.ts';
import { keyLabel } from '../../contract/mask.ts';
import { directories } from '../../settings/directories.ts';
import { listProfiles } from '../../settings/profiles.ts';
import { profileTable } from '../../ui/views/profiles.ts';

export default class AuthList extends PartnerCommand {
  static override summary = 'List the profiles';
  static override examples = ['partner auth list', 'partner auth list --json'];

  protected override async perform(): Promise<Outcome> {
    await this.parse(AuthList);
    const profiles = listProfiles(directories(this.surroundings.env).config);
    const items = profiles.map((profile) => ({
      ...profile,
      key: profile.key === undefined ? null : keyLabel(profile.key),
    }));
    return { json: { items }, text: () => profileTable(profiles, this.view) };
  }
}
