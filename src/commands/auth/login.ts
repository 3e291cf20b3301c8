import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { optionalArg } from '../../cli/flags/flag-values.ts';
import { keptServerFlags, keptSettings } from '../../cli/flags/server-flags.ts';
import { clean, paragraph } from '../../cli/terminal/view.ts';
import { loginWith } from './sign-in.ts';

export default class AuthLogin extends PartnerCommand {
  static override summary = 'Log in to a server: check a key and keep it in a profile';
  static override description =
    'The key is typed hidden, or read from stdin with --with-key; it is never a flag. Once the server has accepted it, it is kept in a file that only you can read.';
  static override examples = [
    'partner auth login acme --base-url https://api.example.com/v1',
    {
      description: 'In a script',
      command: 'echo "$KEY" | partner auth login acme --base-url https://api.example.com/v1 --with-key',
    },
    {
      description: 'Beside the current profile, which stays',
      command:
        'echo "$KEY" | partner auth login test --base-url https://api.example.com/v1 --with-key --no-switch',
    },
  ];
  static override args = { name: optionalArg('Profile name (`default` if omitted)') };
  static override flags = {
    switch: Flags.boolean({
      allowNo: true,
      description: 'Make it the current profile, or not; asked where another one is',
    }),
    'with-key': Flags.boolean({ description: 'Read the key from stdin' }),
    ...keptServerFlags,
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(AuthLogin);
    const request = {
      name: args.name ?? this.globals.profile ?? 'default',
      withKey: flags['with-key'],
      settings: keptSettings(flags),
      toSwitch: flags.switch,
    };
    const context = { ...this.context, streams: this.streams };
    const { profile, current, companyId } = await loginWith(request, this.callFlags(), context, (target) =>
      this.connectTo(target),
    );
    const { name, baseUrl } = profile;
    const isCurrent = current === name;
    const where = clean(`Logged in to ${baseUrl} as profile ${name}`);
    const calls = isCurrent
      ? ', now the current one'
      : `; calls still go to ${current ?? 'the bundled engine'}`;
    const company =
      companyId === undefined
        ? 'The company of its key is unknown: the server listed no job'
        : `Its key acts on the jobs of company ${clean(companyId)}`;
    return {
      json: { name, baseUrl, isCurrent, ...(companyId === undefined ? {} : { companyId }) },
      text: () => paragraph(where + calls, this.view) + paragraph(company, this.view),
      hint: isCurrent
        ? '`partner auth switch bundled` goes back to the bundled engine'
        : `\`partner auth switch ${name}\` makes it the current one, \`--profile ${name}\` uses it for one call`,
    };
  }
}
