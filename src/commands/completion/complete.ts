import type { Command } from '@oclif/core';
import { flagNames } from '../../cli/failure.ts';

interface KnownWords {
  /** Possible first arguments by command. For `help`, they are suggested in addition to the commands. */
  readonly arguments: Readonly<Record<string, readonly string[]>>;
  readonly profiles: readonly string[];
  /** `ID TAB title` of jobs. */
  readonly jobs: readonly string[];
}

type Commands = readonly Command.Cached[];

/** Returns the suggestions. If there are none, the shell completes file names. */
export function completions(
  before: readonly string[],
  current: string,
  commands: Commands,
  known: KnownWords,
): string[] {
  const command = findCommand(before, commands);
  const value = valueUnderCursor(before, current, command);
  if (value !== undefined) {
    const { flag, prefix } = value;
    const words = flag.name === 'profile' ? known.profiles : parseValues(flag);
    return filterWords(words, value.typed).map((word) => prefix + word);
  }
  if (before.includes('--')) return [];
  // The first line stops the shell from completing file names.
  if (!current.startsWith('-') && expectsJobId(before, command))
    return [':ids', ...known.jobs.filter((job) => job.startsWith(current))];
  const takesNothingMore =
    command !== undefined &&
    Object.keys(command.args).length === 0 &&
    before.length >= command.id.split(':').length &&
    listNextNames(before, commands).length === 0;
  const isFlag = current.startsWith('-') || takesNothingMore;
  return filterWords(isFlag ? listFlagNames(command) : nextWords(before, commands, known), current);
}

function expectsJobId(before: readonly string[], command: Command.Cached | undefined): boolean {
  const [, name] = /^(?:jobs|budgets|engine):(.+)/.exec(command?.id ?? '') ?? [];
  if (command === undefined || name === undefined || !(command.args.id ?? command.args.job)) return false;
  const given = before.slice(command.id.split(':').length);
  const isValue = (at: number) => command.flags[given[at - 1]?.slice(2) ?? '']?.type === 'option';
  return command.strict === false || given.every((word, at) => word.startsWith('-') || isValue(at));
}

/** Ignores case, as flag values do: `--status ac` completes to ACTIVE. */
function filterWords(words: readonly string[], typed: string): string[] {
  const start = typed.toLowerCase();
  return words.filter((word) => word.toLowerCase().startsWith(start)).sort();
}

function findCommand(before: readonly string[], commands: Commands): Command.Cached | undefined {
  const ids = before.map((_, at) => before.slice(0, at + 1).join(':'));
  return ids.flatMap((id) => commands.find((known) => known.id === id) ?? []).at(-1);
}

/** Handles `--status AC`, `--status=AC`, and bash's form of the latter: `--status`, `=`, `AC`. */
function valueUnderCursor(before: readonly string[], current: string, command: Command.Cached | undefined) {
  const [, inWord, typedInWord = ''] = /^(--[^=]+)=(.*)$/.exec(current) ?? [];
  const name = inWord ?? before.findLast((word) => word !== '=');
  const typed = inWord === undefined ? current.replace(/^=$/, '') : typedInWord;
  const flag = name?.startsWith('--') ? command?.flags[name.slice(2)] : undefined;
  return flag?.type === 'option' ? { flag, typed, prefix: inWord ? `${inWord}=` : '' } : undefined;
}

/** `helpValue` is a list such as `DAILY|WEEKLY`, or the only value, such as `failed`. */
function parseValues({ helpValue = '' }: { helpValue?: string | string[] | undefined }): readonly string[] {
  const shown = [helpValue].flat().join('');
  return shown.includes('|') || /^[a-z]+$/.test(shown) ? shown.split('|') : [];
}

function listFlagNames(command: Command.Cached | undefined): string[] {
  if (command === undefined) return ['--help', '--version'];
  return Object.values(command.flags).flatMap((flag) => (flag.hidden ? [] : flagNames(flag.name, flag)));
}

function nextWords(before: readonly string[], commands: Commands, known: KnownWords): readonly string[] {
  const [first, ...others] = before;
  const args = known.arguments[before.join(' ')];
  if (first === 'help') return [...listNextNames(others, commands), ...(args ?? [])];
  return args ?? listNextNames(before, commands);
}

function listNextNames(words: readonly string[], commands: Commands): string[] {
  const prefix = words.map((word) => `${word}:`).join('');
  const next = commands
    .filter(({ id }) => id.startsWith(prefix))
    .map(({ id }) => id.slice(prefix.length).split(':')[0] ?? '');
  return [...new Set(next)];
}
