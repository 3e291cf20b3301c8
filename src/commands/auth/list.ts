import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { listFlags } from '../../cli/flags/flag-values.ts';
import type { Profile } from '../../cli/settings/config.ts';
import { directories } from '../../cli/settings/directories.ts';
import { loadProfiles } from '../../cli/settings/profiles.ts';
import { type Column, sortItems, table } from '../../cli/terminal/table.ts';
import { keyLabel, withoutPassword } from '../../text/outside-text.ts';

const COLUMNS: readonly Column<Profile & { readonly isCurrent: boolean }>[] = [
  {
    title: '',
    name: 'CURRENT',
    text: ({ isCurrent }) => (isCurrent ? '*' : ' '),
    whole: ({ isCurrent }) => (isCurrent ? '*' : ''),
    style: () => 'green',
  },
  { title: 'PROFILE', text: ({ name }) => name, shrinksTo: 10 },
  { title: 'BASE URL', text: ({ baseUrl }) => baseUrl, shrinksTo: 16 },
  { title: 'KEY', text: ({ key }) => (key === undefined ? 'none' : keyLabel(key)), givesWay: 1 },
];

export default class AuthList extends PartnerCommand {
  static override summary = 'List profiles';
  static override examples = ['partner auth list', 'partner auth list --json'];
  static override flags = listFlags(COLUMNS);

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(AuthList);
    const { current, all } = loadProfiles(directories(this.context.env).config);
    const profiles = all
      .map((profile) => ({ ...profile, isCurrent: profile.name === current }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const items = sortItems(profiles, flags).map((profile) => ({
      ...profile,
      key: profile.key === undefined ? null : keyLabel(profile.key),
      ...(profile.proxy === undefined ? {} : { proxy: withoutPassword(new URL(profile.proxy).href) }),
    }));
    const none = 'No profiles. Requests go to the bundled engine.';
    return { json: { items }, text: () => table(COLUMNS, profiles, this.view, none, flags) };
  }
}
