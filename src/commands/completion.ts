import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../base-command.ts';
import { commandList } from '../command-list.ts';
import { completionScript, completions, SHELLS } from '../complete.ts';
import { PartnerError } from '../contract/errors.ts';
import { directories } from '../settings/directories.ts';
import { loadProfiles } from '../settings/profiles.ts';

export default class Completion extends PartnerCommand {
  static override summary = 'Print the completion script of a shell';
  static override examples = [
    { description: 'bash, in ~/.bashrc', command: 'source <(partner completion bash)' },
    { description: 'zsh, in ~/.zshrc after compinit', command: 'source <(partner completion zsh)' },
    {
      description: 'fish',
      command: 'partner completion fish > ~/.config/fish/completions/partner.fish',
    },
    {
      description: 'PowerShell, in $PROFILE',
      command: 'partner completion powershell | Out-String | Invoke-Expression',
    },
  ];
  static override usage = 'SHELL [FLAGS]';
  static override args = { shell: Args.string({ ignoreStdin: true, description: SHELLS.join(', ') }) };
  static override strict = false;
  static override flags = {
    complete: Flags.boolean({
      hidden: true,
      description: 'Print the words that may follow; what the scripts call',
    }),
  };

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(Completion);
    const words = argv as string[];
    if (flags.complete) {
      const profiles = loadProfiles(directories(this.surroundings.env).config).all;
      const items = completions(
        { before: words.slice(0, -1), current: words.at(-1) ?? '' },
        commandList(),
        profiles.map(({ name }) => name),
      );
      return { json: { items }, text: () => items.map((word) => `${word}\n`).join('') };
    }
    const shell = SHELLS.find((name) => name === words[0]);
    if (shell === undefined) {
      throw new PartnerError('USAGE', {
        message: words[0] === undefined ? 'no shell is given' : `there is no completion for \`${words[0]}\``,
        hint: `name one of ${SHELLS.join(', ')}`,
      });
    }
    const script = completionScript(shell);
    return { json: { shell, script }, text: () => script };
  }
}
