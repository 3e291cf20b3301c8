import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { optionalArg, switchFlag } from '../../cli/flags/flag-values.ts';
import { keptServerFlags, readServerSettings } from '../../cli/flags/server-flags.ts';
import { clean, paragraph } from '../../cli/terminal/view.ts';
import { runLogin } from './sign-in.ts';

export default class AuthLogin extends PartnerCommand {
  static override summary = 'Log in to a server and store its key in a profile';
  static override description =
    'Prompts for the key, or reads it from stdin with --with-key. If the server accepts the key, it is stored in a file that only you can read.';
  static override examples = [
    'partner auth login acme --base-url https://api.example.com/v1',
    {
      description: 'Log in from a script',
      command: 'echo "$KEY" | partner auth login acme --base-url https://api.example.com/v1 --with-key',
    },
    {
      description: 'Add a profile without switching to it',
      command:
        'echo "$KEY" | partner auth login test --base-url https://api.example.com/v1 --with-key --no-switch',
    },
  ];
  static override args = { name: optionalArg('Profile name (`default` if omitted)') };
  static override flags = {
    switch: switchFlag('Switch to the new profile (prompts if another one is current)', { allowNo: true }),
    'with-key': switchFlag('Read the key from stdin'),
    ...keptServerFlags,
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(AuthLogin);
    const request = {
      name: args.name ?? this.globals.profile ?? 'default',
      withKey: flags['with-key'],
      settings: readServerSettings(flags),
      toSwitch: flags.switch,
    };
    const context = { ...this.context, streams: this.streams };
    const { profile, current, companyId } = await runLogin(request, this.callFlags(), context, (target) =>
      this.openConnection(target),
    );
    const { name, baseUrl } = profile;
    const isCurrent = current === name;
    const where = clean(`Logged in to ${baseUrl} as profile ${name}`);
    const calls = isCurrent
      ? ', which is now the current profile'
      : `. Requests still go to ${current === undefined ? 'the bundled engine' : `the server of profile ${current}`}`;
    const company =
      companyId === undefined
        ? "The key's company is unknown, because the server listed no jobs"
        : `This key manages the jobs of company ${clean(companyId)}`;
    return {
      json: { name, baseUrl, isCurrent, ...(companyId === undefined ? {} : { companyId }) },
      text: () => paragraph(where + calls, this.view) + paragraph(company, this.view),
      hint: isCurrent
        ? 'switch back to the bundled engine with `partner auth switch bundled`'
        : `make it the current profile with \`partner auth switch ${name}\`, or use \`--profile ${name}\` with a single command`,
    };
  }
}
