import * as Args from '@oclif/core/args';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { configDirectory, directories } from '../../cli/settings/directories.ts';
import { switchProfile } from '../../cli/settings/profiles.ts';
import { paragraph } from '../../cli/terminal/blocks.ts';
import { whereCallsGo } from './where-calls-go.ts';

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
    await switchProfile(configDirectory(directories(this.context.env)), args.name);
    const { sentence } = whereCallsGo(this.context.env);
    return { json: { current: args.name }, text: () => paragraph(sentence, this.view) };
  }
}
