import { stripVTControlCharacters } from 'node:util';
import type { Command } from '@oclif/core';
import { PartnerError } from '../contract/errors.ts';
import { nearest } from '../text/nearest.ts';
import synonyms from './flag-synonyms.json' with { type: 'json' };

export function beforeDashes(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end === -1 ? argv : argv.slice(0, end);
}

export function readLeadingWords(argv: readonly string[]): string[] {
  const flag = argv.findIndex((word) => word.startsWith('-'));
  return argv.slice(0, flag === -1 ? argv.length : flag);
}

interface ParseFailure extends Error {
  readonly flags?: readonly string[];
  readonly args?: readonly (string | { readonly name: string })[];
}

/** Converts oclif's parse errors to USAGE, with the nearest flag. Returns other errors unchanged. */
export function usageError(error: unknown, command: typeof Command): unknown {
  if (error instanceof PartnerError) return withoutPreamble(error);
  if (!(error instanceof Error) || !('oclif' in error)) return error;
  const failure = error as ParseFailure;
  const [flag] = failure.flags ?? [];
  const [arg] = failure.args ?? [];
  if (flag !== undefined) return unknownFlag(flag, command);
  if (typeof arg === 'string') return usage(command, `unexpected argument \`${arg}\``);
  if (arg !== undefined) return missingArgument(arg.name, command);
  return usage(command, readReason(failure));
}

function readReason({ message }: Error): string {
  const reasons = stripVTControlCharacters(message).replace(
    /^(?:Flag |The following errors? occurred:\n *)/,
    '',
  );
  const [first = ''] = reasons.replace(/^(--[\w-]+)=[\s\S]*?(?= cannot also be provided)/, '$1').split('\n');
  return first;
}

/** Restores the message of a flag's `parse` error, which oclif wraps in its own. */
function withoutPreamble(error: PartnerError): PartnerError {
  const [, message = error.message] =
    /^Parsing --\S+ \n\t([\s\S]*)\nSee more help with --help$/.exec(error.message) ?? [];
  return error.with({ message });
}

/** Returns the error for a boolean flag with a value (`--json=true`), which oclif would treat as an argument. */
export function valueTooMany(argv: readonly string[], command: typeof Command): PartnerError | undefined {
  const flags = { ...command.baseFlags, ...command.flags };
  const switches = Object.entries(flags).filter(([, { type }]) => type === 'boolean');
  const names = switches.flatMap(([flag, kind]) => flagNames(flag, kind));
  const word = beforeDashes(argv).find((given) => names.some((name) => given.startsWith(`${name}=`)));
  if (word === undefined) return undefined;
  const flag = `\`${word.split('=')[0]}\``;
  return usage(command, `${flag} doesn't accept a value`, `pass ${flag} without a value, or omit it`);
}

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
  const [, meant] = synonyms.find(([words = '']) => words.split(' ').includes(name)) ?? [];
  const hint = near === undefined ? meant : `did you mean \`${near}\`?`;
  return usage(command, `unknown flag \`${name}\` for \`${formatCommandName(command)}\``, hint);
}

function missingArgument(name: string, command: typeof Command): PartnerError {
  const [example] = command.examples ?? [];
  const hint = typeof example === 'string' ? `for example: \`${example}\`` : undefined;
  return usage(command, `missing argument ${name}`, hint);
}

function usage(command: typeof Command, message: string, hint?: string): PartnerError {
  return new PartnerError('USAGE', {
    message,
    hint: hint ?? `see \`${formatCommandName(command)} --help\``,
  });
}

function formatCommandName(command: typeof Command): string {
  return `partner ${command.id.replaceAll(':', ' ')}`;
}
