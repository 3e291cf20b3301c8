import { stripVTControlCharacters } from 'node:util';
import type { Command } from '@oclif/core';
import { type ErrorCode, errorJson, PartnerError } from '../contract/errors.ts';
import { getErrorCode, listStacks, systemError } from '../contract/system-errors.ts';
import { findFlag } from '../listings/flag-values.ts';
import { VERSION } from '../package.ts';
import { nearest } from '../text/nearest.ts';
import { maskKey } from '../text/outside-text.ts';
import type { Connection } from './connection/connect.ts';
import synonyms from './flag-synonyms.json' with { type: 'json' };
import { describeRefusedKey, type Target } from './settings/target.ts';
import { type CliContext, CutOutput } from './terminal/streams.ts';
import { clean, cleanBlock, fieldLines, jsonText, paragraph, type View, viewOfErr } from './terminal/view.ts';

/** Prints an error and returns its exit code. No other code decides exit codes of errors. */
export async function showFailure(
  error: unknown,
  argv: readonly string[],
  { streams, env, clock, interrupted }: CliContext,
): Promise<number> {
  const isCut = error instanceof CutOutput;
  const reason = isCut ? error.cause : error;
  const known = translateSystemError(reason) ?? new PartnerError('UNEXPECTED', { cause: reason });
  const writeJson = () => streams.writeOut(jsonText(errorJson(known)));
  const isShown = !isCut && asksForJson(argv) && (await writeJson().catch(() => false)) !== false;
  if (!isShown) {
    const begin = (interrupted.aborted || isCut) && streams.stderrIsTerminal ? '\n' : '';
    const end = isCut ? 'The list on stdout is incomplete.\n' : '';
    await streams.writeErr(begin + errorText(known, viewOfErr(streams, clock(), findFlag)) + end);
  }
  if (known.code === 'UNEXPECTED') await streams.writeErr(bugReport(known, argv, env.PARTNER_API_KEY));
  return known.exit;
}

const REFUSALS = /^(?:EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EFBIG|EIO|EMFILE|ENFILE|ELOOP|ENAMETOOLONG)$/;

function translateSystemError(error: unknown): PartnerError | undefined {
  if (error instanceof PartnerError) return error;
  const { path } = (error ?? {}) as NodeJS.ErrnoException;
  if (path === undefined || !REFUSALS.test(getErrorCode(error))) return undefined;
  return systemError(error, 'FILE_UNREADABLE', `can't use ${path}`);
}

/** Checks the raw arguments, because parsing may have failed. */
export function asksForJson(argv: readonly string[]): boolean {
  return beforeDashes(argv).some((word) => /^--json(?:=|$)/.test(word));
}

const ON_THE_BUNDLED_ENGINE: { readonly [Code in ErrorCode]?: string } = {
  AGREEMENT_OUTDATED:
    'accept the terms with `partner dashboard accept-terms`, add a card with `partner dashboard add-card` if none is on file, then try again',
  PAYMENT_METHOD_REQUIRED: 'add a test card with `partner dashboard add-card`, then try again',
};

export function explainFailure(error: unknown, connection: Connection | undefined): unknown {
  if (error instanceof CutOutput) return new CutOutput(explainFailure(error.cause, connection));
  return error instanceof PartnerError && connection !== undefined
    ? withTargetHint(error, connection)
    : error;
}

export function withTargetHint(error: PartnerError, { target }: Connection): PartnerError {
  const hint =
    error.code === 'INVALID_SERVICE_KEY'
      ? describeRefusedKey(target)
      : target.kind === 'embedded'
        ? asTyped(ON_THE_BUNDLED_ENGINE[error.code], target)
        : undefined;
  return hint === undefined ? error : error.with({ hint });
}

/** Adds --local, which the next command needs if a flag selected the bundled engine. */
function asTyped(hint: string | undefined, { from }: Target): string | undefined {
  const isByFlag = from.baseUrl.startsWith('flag');
  return isByFlag ? hint?.replaceAll(/`(partner dashboard [a-z-]+)`/g, '`$1 --local`') : hint;
}

export function errorText(error: PartnerError, view: View): string {
  return errorLines(view.paint('red', 'error:'), error, view);
}

export function formatFailedLine(id: number, error: PartnerError, view: View): string {
  return errorLines(`${view.paint('red', '✗')} ${id}:`, error, view);
}

function errorLines(head: string, { message, fields = {}, hint }: PartnerError, view: View): string {
  const next = hint === undefined ? '' : paragraph(`${view.paint('dim', '→')} ${clean(hint)}`, view);
  return paragraph(`${head} ${clean(message)}`, view) + fieldLines(Object.entries(fields), view) + next;
}

/** Returns a bug report without flag values and keys, because users will share it. */
export function bugReport(error: unknown, argv: readonly string[], key: string | undefined): string {
  const lines = [
    '--- report ---',
    `partner ${VERSION} · Node ${process.version} · ${process.platform}-${process.arch}`,
    `command: ${withoutValues(argv)}`,
    ...listStacks(error instanceof PartnerError ? (error.cause ?? error) : error),
    '--- end of report ---',
    '',
  ];
  // `cleanBlock` masks keys from profiles and files by their format.
  return cleanBlock(maskKey(lines.join('\n'), key));
}

function withoutValues(argv: readonly string[]): string {
  const flags = beforeDashes(argv).flatMap((word) => /^(?:--[a-z][a-z-]*|-[a-z]$)/.exec(word) ?? []);
  return [
    'partner',
    ...readLeadingWords(argv).map((word) => (/^[a-z][a-z-]*$/.test(word) ? word : '…')),
    ...flags,
  ].join(' ');
}

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
