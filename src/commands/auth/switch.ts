import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { createRequiredArg } from '../../cli/flags/flag-values.ts';
import { configDirectory, directories } from '../../cli/settings/directories.ts';
import { switchProfile, whereCallsGo } from '../../cli/settings/profiles.ts';
import { paragraph } from '../../cli/terminal/view.ts';

export default class AuthSwitch extends PartnerCommand {
  static override summary = 'Switch to another profile';
  static override examples = ['partner auth switch acme', 'partner auth switch bundled'];
  static override args = { name: createRequiredArg('Profile name (`bundled` for the bundled engine)') };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(AuthSwitch);
    await switchProfile(configDirectory(directories(this.context.env)), args.name);
    const { sentence } = whereCallsGo(this.context.env);
    return { json: { current: args.name }, text: () => paragraph(sentence, this.view) };
  }
}
