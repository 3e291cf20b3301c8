import * as Args from '@oclif/core/args';
import { whereCallsGo } from '../../actions/where-calls-go.ts';
import { type Outcome, PartnerCommand } from '../../base-command.ts';
import { PartnerError } from '../../contract/errors.ts';
import { configDirectory, directories } from '../../settings/directories.ts';
import { loadProfiles, removeProfile } from '../../settings/profiles.ts';
import { paragraph } from '../../ui/blocks.ts';

export default class AuthLogout extends PartnerCommand {
  static override summary = 'Forget a profile and its key';
  static override examples = ['partner auth logout', 'partner auth logout acme'];
  static override args = {
    name: Args.string({ ignoreStdin: true, description: 'The profile; the current one unless given' }),
  };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(AuthLogout);
    const directory = configDirectory(directories(this.surroundings.env));
    const name = args.name ?? this.globals.profile ?? loadProfiles(directory).current;
    if (name === undefined) {
      throw new PartnerError('USAGE', {
        message: 'no profile is logged in',
        hint: '`partner auth login` logs in to a server',
      });
    }
    await removeProfile(directory, name);
    const { sentence, target, baseUrl } = whereCallsGo(this.surroundings.env);
    return {
      json: { name, removed: true, target, baseUrl },
      text: () => paragraph(`Forgot profile ${name} and its key`, this.view) + paragraph(sentence, this.view),
    };
  }
}
