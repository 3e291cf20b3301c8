import { type ErrorCode, errorJson, PartnerError } from '../contract/errors.ts';
import { getErrorCode, listStacks, systemError } from '../contract/system-errors.ts';
import { findFlag } from '../listings/flag-values.ts';
import { VERSION } from '../package.ts';
import { maskKey } from '../text/outside-text.ts';
import type { Connection } from './connection/connect.ts';
import { describeRefusedKey, type Target } from './settings/target.ts';
import { type CliContext, CutOutput } from './terminal/streams.ts';
import { clean, cleanBlock, fieldLines, jsonText, paragraph, type View, viewOfErr } from './terminal/view.ts';
import { beforeDashes, readLeadingWords } from './usage.ts';

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
  const isShown =
    !isCut &&
    asksForJson(argv) &&
    (await writeJson().then(
      () => true,
      () => false,
    ));
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
