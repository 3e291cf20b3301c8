import type { Command } from '@oclif/core';

/** What may follow a command line: the words before the cursor, and the one under it as far as it is typed. */
export interface Completing {
  readonly before: readonly string[];
  readonly current: string;
}

/**
 * The words that fit under the cursor: the next part of a command's name, a flag, a value of a flag that has a
 * closed set of them, or a profile's name. Files are left to the shell: an empty list means "offer files".
 */
export function completions(
  { before, current }: Completing,
  commands: readonly Command.Cached[],
  profileNames: readonly string[],
): string[] {
  const command = commandOf(before, commands);
  const flag = flagAwaitingValue(before, command);
  const offered =
    flag !== undefined
      ? valuesOf(flag, profileNames)
      : current.startsWith('-')
        ? flagsOf(command)
        : nextWords(before, commands);
  return offered.filter((word) => word.startsWith(current)).sort();
}

/** The command that the leading words name, if they do. */
function commandOf(
  before: readonly string[],
  commands: readonly Command.Cached[],
): Command.Cached | undefined {
  for (let count = before.length; count > 0; count--) {
    const id = before.slice(0, count).join(':');
    const command = commands.find((known) => known.id === id);
    if (command !== undefined) return command;
  }
  return undefined;
}

function flagAwaitingValue(
  before: readonly string[],
  command: Command.Cached | undefined,
): Command.Flag.Cached | undefined {
  const last = before.at(-1);
  if (last === undefined || !last.startsWith('--')) return undefined;
  const flag = command?.flags[last.slice(2)];
  return flag?.type === 'option' ? flag : undefined;
}

/** `helpValue` lists a closed set with bars: `DAILY|WEEKLY`. */
function valuesOf(flag: Command.Flag.Cached, profileNames: readonly string[]): string[] {
  if (flag.name === 'profile') return [...profileNames];
  const shown = [flag.type === 'option' ? (flag.helpValue ?? '') : ''].flat().join('');
  return shown.includes('|') ? shown.split('|') : [];
}

function flagsOf(command: Command.Cached | undefined): string[] {
  return Object.values(command?.flags ?? {}).map(({ name }) => `--${name}`);
}

function nextWords(before: readonly string[], commands: readonly Command.Cached[]): string[] {
  const prefix = before.map((word) => `${word}:`).join('');
  const next = commands
    .filter(({ id }) => id.startsWith(prefix))
    .map(({ id }) => id.slice(prefix.length).split(':')[0] ?? '');
  return [...new Set(next)];
}

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof SHELLS)[number];

/** The script that makes a shell ask `partner completion --complete` for words. */
export function completionScript(shell: Shell): string {
  return SCRIPTS[shell];
}

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_partner() {
  local IFS=$'\\n'
  COMPREPLY=($(partner completion --complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _partner partner
`,
  zsh: `#compdef partner
_partner() {
  local -a offered
  offered=(\${(f)"$(partner completion --complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#offered} )); then compadd -a offered; else _files; fi
}
compdef _partner partner
`,
  fish: `complete -c partner -f -a '(partner completion --complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null; or __fish_complete_path (commandline -ct))'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName partner -ScriptBlock {
  param($word, $line, $cursor)
  $words = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($word -eq '') { $words += '' }
  partner completion --complete -- @words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`,
};
