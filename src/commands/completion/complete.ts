import type { Command } from '@oclif/core';
import { flagNames } from '../../cli/usage.ts';

/** The words before the cursor, and the one under it as far as it is typed. */
export interface Completing {
  readonly before: readonly string[];
  readonly current: string;
}

export interface KnownNames {
  readonly profiles: readonly string[];
  readonly schemas: readonly string[];
  readonly shells: readonly string[];
  readonly guides: readonly string[];
  /** By the flag's name, where its help does not list them; `DAILY=` where more has to follow. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

type Commands = readonly Command.Cached[];

/** The words that fit under the cursor. Files are left to the shell: an empty list means "offer files". */
export function completions(completing: Completing, commands: Commands, known: KnownNames): string[] {
  const { before, current } = completing;
  const command = commandOf(before, commands);
  const value = valueUnderCursor(completing, command);
  if (value !== undefined) {
    const [chosen, typed] = value.flag.name === 'columns' ? atLastComma(value.typed) : ['', value.typed];
    return fitting(valuesOf(value.flag, known), typed).map((word) => value.prefix + chosen + word);
  }
  if (before.includes('--')) return [];
  const isFlag =
    current.startsWith('-') || (command !== undefined && takesNothingMore(command, before, commands));
  return fitting(isFlag ? flagsOf(command, before) : nextWords(before, commands, known), current);
}

/** `id,sta` is one column and the beginning of another. */
function atLastComma(typed: string): [chosen: string, typed: string] {
  const start = typed.lastIndexOf(',') + 1;
  return [typed.slice(0, start), typed.slice(start)];
}

/** Values are accepted in any case, and completed from any: `--status ac` is ACTIVE. */
function fitting(words: readonly string[], typed: string): string[] {
  const start = typed.toLowerCase();
  return words.filter((word) => word.toLowerCase().startsWith(start)).sort();
}

function commandOf(before: readonly string[], commands: Commands): Command.Cached | undefined {
  for (let count = before.length; count > 0; count--) {
    const id = before.slice(0, count).join(':');
    const command = commands.find((known) => known.id === id);
    if (command !== undefined) return command;
  }
  return undefined;
}

interface ValueUnderCursor {
  readonly flag: Command.Flag.Cached;
  readonly typed: string;
  /** `--status=`, in the same word. */
  readonly prefix: string;
}

/** `--status AC`, `--status=AC`, and the latter as bash hands it over: `--status`, `=`, `AC`. */
function valueUnderCursor(
  { before, current }: Completing,
  command: Command.Cached | undefined,
): ValueUnderCursor | undefined {
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
function valuesOf(flag: Command.Flag.Cached, { profiles, values }: KnownNames): readonly string[] {
  if (flag.name === 'profile') return profiles;
  if (Object.hasOwn(values, flag.name)) return values[flag.name] ?? [];
  const shown = [flag.type === 'option' ? (flag.helpValue ?? '') : ''].flat().join('');
  return shown.includes('|') || /^[a-z]+$/.test(shown) ? shown.split('|') : [];
}

/** The flags that can still be given: one that may not be repeated is offered once. */
function flagsOf(command: Command.Cached | undefined, before: readonly string[]): string[] {
  if (command === undefined) return ['--help', '--version'];
  const given = new Set(before.map((word) => word.split('=')[0]));
  return Object.values(command.flags)
    .filter(({ hidden }) => !hidden)
    .filter(
      (flag) =>
        (flag.type === 'option' && flag.multiple) ||
        !flagNames(flag.name, flag).some((name) => given.has(name)),
    )
    .flatMap((flag) => flagNames(flag.name, flag));
}

function takesNothingMore(
  { id, args }: Command.Cached,
  before: readonly string[],
  commands: Commands,
): boolean {
  const isWhole = before.length >= id.split(':').length && namesAfter(before, commands).length === 0;
  return Object.keys(args).length === 0 && isWhole;
}

function nextWords(before: readonly string[], commands: Commands, known: KnownNames): readonly string[] {
  const [first, ...others] = before;
  if (first === 'help')
    return [...namesAfter(others, commands), ...(others.length === 0 ? known.guides : [])];
  const argument = argumentsOf(known)[before.join(' ')];
  return argument ?? namesAfter(before, commands);
}

/** The first argument of a command, where that is a closed set. */
function argumentsOf({ profiles, schemas, shells }: KnownNames): Readonly<Record<string, readonly string[]>> {
  return {
    'auth switch': [...profiles, 'bundled'],
    'auth login': profiles,
    'auth logout': profiles,
    completion: shells,
    schema: schemas,
  };
}

function namesAfter(words: readonly string[], commands: Commands): string[] {
  const prefix = words.map((word) => `${word}:`).join('');
  const next = commands
    .filter(({ id }) => id.startsWith(prefix))
    .map(({ id }) => id.slice(prefix.length).split(':')[0] ?? '');
  return [...new Set(next)];
}
