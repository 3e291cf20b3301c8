import * as Args from '@oclif/core/args';
import { whereCallsGo } from '../../actions/where-calls-go.ts';
import { type Outcome, PartnerCommand } from '../../base-command.ts';
import { configDirectory, directories } from '../../settings/directories.ts';
import { switchProfile } from '../../settings/profiles.ts';
import { paragraph } from '../../ui/blocks.ts';

export default class AuthSwitch extends PartnerCommand {
  static override summary = 'Make another profile the current one';
  static override examples = ['partner auth switch acme', 'partner auth switch bundled'];
  static override args = {
    name: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'The profile; `bundled` is the bundled engine',
    }),
  };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(AuthSwitch);
    await switchProfile(configDirectory(directories(this.surroundings.env)), args.name);
    const { sentence } = whereCallsGo(this.surroundings.env);
    return { json: { current: args.name }, text: () => paragraph(sentence, this.view) };
  }
}
