import type { Command } from '@oclif/core';
import { flagNames } from '../../cli/usage.ts';

/** The words before the cursor, and the one under it as far as it is typed. */
export interface Completing {
  readonly before: readonly string[];
  readonly current: string;
}

/** What the commands' own help does not list. */
export interface KnownWords {
  /** The first argument of a command, by its name; of `help` beside the commands. */
  readonly arguments: Readonly<Record<string, readonly string[]>>;
  readonly profiles: readonly string[];
}

type Commands = readonly Command.Cached[];

/** The words that fit under the cursor. Files are left to the shell: an empty list means "offer files". */
export function completions(completing: Completing, commands: Commands, known: KnownWords): string[] {
  const { before, current } = completing;
  const command = commandOf(before, commands);
  const value = valueUnderCursor(completing, command);
  if (value !== undefined) {
    const { flag, prefix } = value;
    const words = flag.name === 'profile' ? known.profiles : listedValues(flag);
    return fitting(words, value.typed).map((word) => prefix + word);
  }
  if (before.includes('--')) return [];
  const takesNothingMore =
    command !== undefined &&
    Object.keys(command.args).length === 0 &&
    before.length >= command.id.split(':').length &&
    namesAfter(before, commands).length === 0;
  const isFlag = current.startsWith('-') || takesNothingMore;
  return fitting(isFlag ? flagsOf(command) : nextWords(before, commands, known), current);
}

/** Values are accepted in any case, and completed from any: `--status ac` is ACTIVE. */
function fitting(words: readonly string[], typed: string): string[] {
  const start = typed.toLowerCase();
  return words.filter((word) => word.toLowerCase().startsWith(start)).sort();
}

function commandOf(before: readonly string[], commands: Commands): Command.Cached | undefined {
  const ids = before.map((_, at) => before.slice(0, at + 1).join(':'));
  return ids.flatMap((id) => commands.find((known) => known.id === id) ?? []).at(-1);
}

/** `--status AC`, `--status=AC`, and the latter as bash hands it over: `--status`, `=`, `AC`. */
function valueUnderCursor({ before, current }: Completing, command: Command.Cached | undefined) {
  const [, inWord, typedInWord = ''] = /^(--[^=]+)=(.*)$/.exec(current) ?? [];
  const [name, typed, prefix = ''] =
    inWord !== undefined
      ? [inWord, typedInWord, `${inWord}=`]
      : current === '='
        ? [before.at(-1), '']
        : before.at(-1) === '='
          ? [before.at(-2), current]
          : [before.at(-1), current];
  const flag = name?.startsWith('--') ? command?.flags[name.slice(2)] : undefined;
  return flag?.type === 'option' ? { flag, typed, prefix } : undefined;
}

/** `helpValue` lists a closed set with bars, `DAILY|WEEKLY`, or is the only value there is, `failed`. */
function listedValues({ helpValue = '' }: { helpValue?: string | string[] | undefined }): readonly string[] {
  const shown = [helpValue].flat().join('');
  return shown.includes('|') || /^[a-z]+$/.test(shown) ? shown.split('|') : [];
}

function flagsOf(command: Command.Cached | undefined): string[] {
  if (command === undefined) return ['--help', '--version'];
  return Object.values(command.flags).flatMap((flag) => (flag.hidden ? [] : flagNames(flag.name, flag)));
}

function nextWords(before: readonly string[], commands: Commands, known: KnownWords): readonly string[] {
  const [first, ...others] = before;
  const args = known.arguments[before.join(' ')];
  if (first === 'help') return [...namesAfter(others, commands), ...(args ?? [])];
  return args ?? namesAfter(before, commands);
}

function namesAfter(words: readonly string[], commands: Commands): string[] {
  const prefix = words.map((word) => `${word}:`).join('');
  const next = commands
    .filter(({ id }) => id.startsWith(prefix))
    .map(({ id }) => id.slice(prefix.length).split(':')[0] ?? '');
  return [...new Set(next)];
}
