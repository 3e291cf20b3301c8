import type { Command } from '@oclif/core';
import { PartnerError } from '../contract/errors.ts';
import { nearest } from '../contract/nearest.ts';
import { flagNames } from './flag-names.ts';

/** What oclif's parser throws, by the parts it carries; its messages are for its own help. */
interface ParseFailure extends Error {
  readonly flags?: readonly string[];
  readonly args?: readonly (string | { readonly name: string })[];
  readonly oclif?: unknown;
}

/**
 * A command line that oclif cannot parse, as a USAGE error in our words with the nearest known flag. What is
 * no parse failure comes back as it was.
 */
export function usageError(error: unknown, command: typeof Command): unknown {
  if (!(error instanceof Error) || !('oclif' in error)) return error;
  const failure = error as ParseFailure;
  const [flag] = failure.flags ?? [];
  const [arg] = failure.args ?? [];
  if (flag !== undefined) return unknownFlag(flag, command);
  if (typeof arg === 'string') return usage(command, `\`${arg}\` is one argument too many`);
  if (arg !== undefined) return missingArgument(arg.name, command);
  return usage(command, (failure.message.split('\n')[0] ?? '').replace(/^Flag /, ''));
}

/**
 * The USAGE error for a flag that takes no value and is given one (`--json=true`), which oclif would take for an
 * argument; undefined where there is none.
 */
export function valueTooMany(argv: readonly string[], command: typeof Command): PartnerError | undefined {
  const flags = { ...command.baseFlags, ...command.flags };
  const end = argv.indexOf('--');
  const names = argv
    .slice(0, end === -1 ? argv.length : end)
    .flatMap((word) => /^--([^=]+)=/.exec(word)?.[1] ?? []);
  const withoutValue = Object.entries(flags).flatMap(([flag, kind]) =>
    kind.type === 'boolean' ? flagNames(flag, kind) : [],
  );
  const name = names.find((given) => withoutValue.includes(`--${given}`));
  if (name === undefined) return undefined;
  return usage(command, `\`--${name}\` takes no value`, `write \`--${name}\` alone, or leave it out`);
}

function unknownFlag(given: string, command: typeof Command): PartnerError {
  const flags = Object.entries({ ...command.baseFlags, ...command.flags });
  const known = flags.flatMap(([flag, kind]) => flagNames(flag, kind));
  const [name = given] = given.split('=');
  const near = nearest(name, known);
  return usage(
    command,
    `\`${name}\` is not a flag of \`${spoken(command)}\``,
    near === undefined ? undefined : `did you mean \`${near}\`?`,
  );
}

function usage(command: typeof Command, message: string, hint?: string): PartnerError {
  return new PartnerError('USAGE', {
    message,
    hint: hint ?? `\`${spoken(command)} --help\` shows what it takes`,
  });
}

function missingArgument(name: string, command: typeof Command): PartnerError {
  const [example] = command.examples ?? [];
  const hint = typeof example === 'string' ? `write it like \`${example}\`` : undefined;
  return usage(command, `${name} is missing`, hint);
}

/** A command's name as it is typed. */
function spoken(command: typeof Command): string {
  return `partner ${command.id.replaceAll(':', ' ')}`;
}
