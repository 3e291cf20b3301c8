import { join } from 'node:path';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { formatServerName, loadTarget } from '../../cli/connection/connect.ts';
import { optionalArg, parseChoiceFlag, switchFlag } from '../../cli/flags/flag-values.ts';
import { commandList, GUIDE_NAMES, readPart } from '../../cli/help/topics.ts';
import { BUNDLED } from '../../cli/settings/config.ts';
import { dataPaths, directories } from '../../cli/settings/directories.ts';
import { loadProfiles } from '../../cli/settings/profiles.ts';
import { listShownJobs } from '../../cli/settings/server-memory.ts';
import { oneLine } from '../../cli/terminal/words.ts';
import { attempt } from '../../contract/system-errors.ts';
import { PACKAGE_ROOT } from '../../package.ts';
import { completions } from './complete.ts';

/** Each script gets its suggestions from `partner completion --complete`. */
const SCRIPTS = {
  bash: 'partner.bash',
  zsh: 'partner.zsh',
  fish: 'partner.fish',
  powershell: 'partner.ps1',
} as const;

const SHELLS = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

export default class Completion extends PartnerCommand {
  static override summary = 'Print a shell completion script';
  static override examples = [
    { description: 'bash, in ~/.bashrc', command: 'eval "$(partner completion bash)"' },
    { description: 'zsh, in ~/.zshrc after compinit', command: 'source <(partner completion zsh)' },
    { description: 'fish', command: 'partner completion fish > ~/.config/fish/completions/partner.fish' },
    {
      description: 'PowerShell, in $PROFILE',
      command: 'partner completion powershell | Out-String | Invoke-Expression',
    },
  ];
  static override usage = 'SHELL [FLAGS]';
  static override args = { shell: optionalArg(`Shell: ${SHELLS.join(', ')}`) };
  static override strict = false;
  static override flags = {
    'next-word': switchFlag('Complete an empty word (for some shells)', { hidden: true }),
    complete: switchFlag('Print the possible next words (used by the scripts)', { hidden: true }),
  };

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(Completion);
    const words = argv as string[];
    const typed = flags['next-word'] ? [...words, ''] : words;
    return flags.complete ? this.completeWords(typed) : loadScript(words[0]);
  }

  /** The last word is the one under the cursor. It may be empty. */
  private async completeWords(words: readonly string[]): Promise<Outcome> {
    const before = words.slice(0, -1);
    const profiles = loadProfiles(directories(this.context.env).config).all.map(({ name }) => name);
    const schemas = before[0] === 'schema' ? (await import('../../listings/schema.ts')).SCHEMA_NAMES : [];
    const known = {
      arguments: {
        'auth switch': [...profiles, BUNDLED],
        'auth login': profiles,
        'auth logout': profiles,
        completion: SHELLS,
        help: GUIDE_NAMES,
        schema: schemas,
      },
      profiles,
      jobs: this.listJobs(before),
    };
    const items = completions(before, words.at(-1) ?? '', commandList(), known);
    return { json: { items }, text: () => items.map((word) => `${word}\n`).join('') };
  }

  private listJobs(before: readonly string[]): string[] {
    this.globals = {
      profile: before[before.indexOf('--profile') + 1 || before.length],
      local: before.includes('--local'),
    };
    const { shownJobs } = dataPaths(directories(this.context.env));
    const jobs =
      attempt(() => listShownJobs(shownJobs, formatServerName(loadTarget(this.callFlags(), this.context)))) ??
      [];
    return jobs.map(([id, title]) => `${id}\t${oneLine(title) ?? 'Untitled'}`);
  }
}

function loadScript(given = ''): Outcome {
  const shell = parseChoiceFlag('SHELL', given, SHELLS);
  const path = join(PACKAGE_ROOT, 'dist', 'completion', SCRIPTS[shell]);
  const script = readPart('the completion script', path, (text) => text);
  return { json: { shell, script }, text: () => script };
}
