import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { optionalArg } from '../../cli/flags/flag-values.ts';
import { configDirectory, directories } from '../../cli/settings/directories.ts';
import { loadProfiles, removeProfile, whereCallsGo } from '../../cli/settings/profiles.ts';
import { paragraph } from '../../cli/terminal/view.ts';
import { PartnerError } from '../../contract/errors.ts';

export default class AuthLogout extends PartnerCommand {
  static override summary = 'Delete a profile and its key';
  static override examples = ['partner auth logout', 'partner auth logout acme'];
  static override args = { name: optionalArg('Profile name (the current profile if omitted)') };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(AuthLogout);
    const directory = configDirectory(directories(this.context.env));
    const name = args.name ?? this.globals.profile ?? loadProfiles(directory).current;
    if (name === undefined) {
      throw new PartnerError('USAGE', {
        message: 'not logged in to any profile',
        hint: 'log in to a server with `partner auth login`',
      });
    }
    await removeProfile(directory, name);
    const { sentence, target, baseUrl } = whereCallsGo(this.context.env);
    return {
      json: { name, removed: true, target, baseUrl },
      text: () =>
        paragraph(`Removed profile ${name} and its key`, this.view) + paragraph(sentence, this.view),
    };
  }
}
