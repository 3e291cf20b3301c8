import { stripVTControlCharacters } from 'node:util';
import type { Command } from '@oclif/core';
import { PartnerError } from '../contract/errors.ts';
import { nearest } from '../contract/nearest.ts';

/** The words of a command line before `--`. */
export function beforeDashes(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end === -1 ? argv : argv.slice(0, end);
}

/** The words before the first flag. */
export function wordsOf(argv: readonly string[]): string[] {
  const flag = argv.findIndex((word) => word.startsWith('-'));
  return argv.slice(0, flag === -1 ? argv.length : flag);
}

interface ParseFailure extends Error {
  readonly flags?: readonly string[];
  readonly args?: readonly (string | { readonly name: string })[];
}

/** A parse failure of oclif as a USAGE error with the nearest known flag; any other error as it is. */
export function usageError(error: unknown, command: typeof Command): unknown {
  if (error instanceof PartnerError) return withoutPreamble(error);
  if (!(error instanceof Error) || !('oclif' in error)) return error;
  const failure = error as ParseFailure;
  const [flag] = failure.flags ?? [];
  const [arg] = failure.args ?? [];
  if (flag !== undefined) return unknownFlag(flag, command);
  if (typeof arg === 'string') return usage(command, `\`${arg}\` is one argument too many`);
  if (arg !== undefined) return missingArgument(arg.name, command);
  return usage(command, reasonOf(failure));
}

/** The first reason that oclif gives, without the value of a flag that excludes another. */
function reasonOf({ message }: Error): string {
  const reasons = stripVTControlCharacters(message).replace(
    /^(?:Flag |The following errors? occurred:\n *)/,
    '',
  );
  const [first = ''] = reasons.replace(/^(--[\w-]+)=[\s\S]*?(?= cannot also be provided)/, '$1').split('\n');
  return first;
}

/** An error of a flag's `parse` with its own message: oclif writes another one into it. */
function withoutPreamble(error: PartnerError): PartnerError {
  const [, message = error.message] =
    /^Parsing --\S+ \n\t([\s\S]*)\nSee more help with --help$/.exec(error.message) ?? [];
  return error.with({ message });
}

/** The USAGE error for a value of a flag that takes none (`--json=true`): oclif would take it for an argument. */
export function valueTooMany(argv: readonly string[], command: typeof Command): PartnerError | undefined {
  const flags = { ...command.baseFlags, ...command.flags };
  const names = beforeDashes(argv).flatMap((word) => /^--([^=]+)=/.exec(word)?.[1] ?? []);
  const withoutValue = Object.entries(flags).flatMap(([flag, kind]) =>
    kind.type === 'boolean' ? flagNames(flag, kind) : [],
  );
  const name = names.find((given) => withoutValue.includes(`--${given}`));
  if (name === undefined) return undefined;
  const flag = `\`--${name}\``;
  return usage(command, `${flag} takes no value`, `write ${flag} alone, or leave it out`);
}

/** A flag as it may be typed: `--switch` and `--no-switch` where it can be negated. */
export function flagNames(
  name: string,
  flag: { readonly type: string; readonly allowNo?: boolean | undefined },
): string[] {
  return [`--${name}`, ...(flag.type === 'boolean' && flag.allowNo === true ? [`--no-${name}`] : [])];
}

function unknownFlag(given: string, command: typeof Command): PartnerError {
  const flags = Object.entries({ ...command.baseFlags, ...command.flags });
  const known = flags.flatMap(([flag, kind]) => flagNames(flag, kind));
  const [name = given] = given.split('=');
  const near = nearest(name, known);
  return usage(
    command,
    `\`${name}\` is not a flag of \`${nameOf(command)}\``,
    near === undefined ? undefined : `did you mean \`${near}\`?`,
  );
}

function missingArgument(name: string, command: typeof Command): PartnerError {
  const [example] = command.examples ?? [];
  const hint = typeof example === 'string' ? `write it like \`${example}\`` : undefined;
  return usage(command, `${name} is missing`, hint);
}

function usage(command: typeof Command, message: string, hint?: string): PartnerError {
  return new PartnerError('USAGE', {
    message,
    hint: hint ?? `\`${nameOf(command)} --help\` shows what it takes`,
  });
}

function nameOf(command: typeof Command): string {
  return `partner ${command.id.replaceAll(':', ' ')}`;
}
