import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { optionalArg, requiredArg } from '../../cli/flags/flag-values.ts';
import { configDirectory, directories, type Environment } from '../../cli/settings/directories.ts';
import { loadProfiles, removeProfile, switchProfile } from '../../cli/settings/profiles.ts';
import { destination } from '../../cli/settings/target.ts';
import { paragraph } from '../../cli/terminal/view.ts';
import { PartnerError } from '../../contract/errors.ts';

export class AuthSwitch extends PartnerCommand {
  static override summary = 'Make another profile the current one';
  static override examples = ['partner auth switch acme', 'partner auth switch bundled'];
  static override args = { name: requiredArg('Profile name (`bundled` for the bundled engine)') };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(AuthSwitch);
    await switchProfile(configDirectory(directories(this.context.env)), args.name);
    const { sentence } = whereCallsGo(this.context.env);
    return { json: { current: args.name }, text: () => paragraph(sentence, this.view) };
  }
}

export class AuthLogout extends PartnerCommand {
  static override summary = 'Forget a profile and its key';
  static override examples = ['partner auth logout', 'partner auth logout acme'];
  static override args = { name: optionalArg('Profile name (the current profile if omitted)') };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(AuthLogout);
    const directory = configDirectory(directories(this.context.env));
    const name = args.name ?? this.globals.profile ?? loadProfiles(directory).current;
    if (name === undefined) {
      throw new PartnerError('USAGE', {
        message: 'no profile is logged in',
        hint: '`partner auth login` logs in to a server',
      });
    }
    await removeProfile(directory, name);
    const { sentence, target, baseUrl } = whereCallsGo(this.context.env);
    return {
      json: { name, removed: true, target, baseUrl },
      text: () => paragraph(`Forgot profile ${name} and its key`, this.view) + paragraph(sentence, this.view),
    };
  }
}

function whereCallsGo(env: Environment) {
  try {
    const { baseUrl, bundledBy } = destination({
      flags: {},
      env,
      profiles: loadProfiles(directories(env).config),
    });
    if (baseUrl !== undefined) {
      const sentence = `Calls go to ${baseUrl.value} now (${baseUrl.from})`;
      return { target: 'remote', baseUrl: baseUrl.value, sentence };
    }
    const by = bundledBy === undefined ? '' : ` (${bundledBy})`;
    return { target: 'embedded', baseUrl: null, sentence: `Calls go to the bundled engine now${by}` };
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    return { target: null, baseUrl: null, sentence: `Calls are refused now: ${error.message}` };
  }
}
