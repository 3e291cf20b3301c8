import { type ErrorCode, PartnerError } from '../contract/errors.ts';
import { stacksOf } from '../contract/fault-report.ts';
import { maskKey } from '../contract/outside-text.ts';
import { codeOf, systemError } from '../contract/system-errors.ts';
import { flagFor } from '../listings/flag-values.ts';
import { VERSION } from '../package.ts';
import type { Connection } from './connection/connect.ts';
import { refusedKeyHint, type Target } from './settings/target.ts';
import { jsonText } from './terminal/json.ts';
import { type CliContext, CutOutput } from './terminal/streams.ts';
import { clean, cleanBlock, fieldLines, paragraph, type View, viewOfErr } from './terminal/view.ts';
import { beforeDashes, wordsOf } from './usage.ts';

/** The one place where an error becomes an exit code: shows it on stderr, or as JSON on stdout. */
export async function showFailure(
  error: unknown,
  argv: readonly string[],
  { streams, env, clock, interrupted }: CliContext,
): Promise<number> {
  const isCut = error instanceof CutOutput;
  const reason = isCut ? error.cause : error;
  const known = refusedBySystem(reason) ?? new PartnerError('UNEXPECTED', { cause: reason });
  const isShown =
    !isCut && asksForJson(argv) && (await isWritten(streams.writeOut(jsonText(errorJson(known)))));
  if (!isShown) {
    // The terminal shows `^C`, or the beginning of a document, on this line.
    const begin = (interrupted.aborted || isCut) && streams.stderrIsTerminal ? '\n' : '';
    const end = isCut ? 'What was written to stdout is not the whole list.\n' : '';
    await isWritten(streams.writeErr(begin + errorText(known, viewOfErr(streams, clock(), flagFor)) + end));
  }
  if (known.code === 'UNEXPECTED') {
    await isWritten(streams.writeErr(bugReport(known, argv, env.PARTNER_API_KEY)));
  }
  return known.exit;
}

/** Disk and permission errors of a path, which aren't bugs in any command. */
const REFUSALS = /^(?:EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EFBIG|EIO|EMFILE|ENFILE|ELOOP|ENAMETOOLONG)$/;

function refusedBySystem(error: unknown): PartnerError | undefined {
  if (error instanceof PartnerError) return error;
  const { path } = (error ?? {}) as NodeJS.ErrnoException;
  if (path === undefined || !REFUSALS.test(codeOf(error))) return undefined;
  return systemError(error, 'FILE_UNREADABLE', `${path} cannot be used`);
}

/** False where the output cannot be written: then only the exit code is left. */
function isWritten(writing: Promise<void>): Promise<boolean> {
  return writing.then(() => true).catch(() => false);
}

/** Read from the words themselves, as the line may not parse. */
export function asksForJson(argv: readonly string[]): boolean {
  return beforeDashes(argv).some((word) => /^--json(?:=|$)/.test(word));
}

/** The bundled engine has commands for what people do in the dashboard of a service. */
const ON_THE_BUNDLED_ENGINE: { readonly [Code in ErrorCode]?: string } = {
  AGREEMENT_OUTDATED:
    'accept them with `partner dashboard accept-terms`, add a card with `partner dashboard add-card` unless one is on file, then try again',
  PAYMENT_METHOD_REQUIRED: 'add a test card with `partner dashboard add-card`, then try again',
};

/** Like `explained`; anything but a PartnerError stays as it is. */
export function explainedFor(error: unknown, connection: Connection | undefined): unknown {
  if (error instanceof CutOutput) return new CutOutput(explainedFor(error.cause, connection));
  return error instanceof PartnerError && connection !== undefined ? explained(error, connection) : error;
}

/** The error of a call with the next step that fits the place where it went. */
export function explained(error: PartnerError, { target }: Connection): PartnerError {
  const hint =
    error.code === 'INVALID_SERVICE_KEY'
      ? refusedKeyHint(target)
      : target.kind === 'embedded'
        ? asTyped(ON_THE_BUNDLED_ENGINE[error.code], target)
        : undefined;
  return hint === undefined ? error : error.with({ hint });
}

/** A flag that named the bundled engine is needed by the next command too. */
function asTyped(hint: string | undefined, { from }: Target): string | undefined {
  const isByFlag = from.baseUrl.startsWith('flag');
  return isByFlag ? hint?.replaceAll(/`(partner dashboard [a-z-]+)`/g, '`$1 --local`') : hint;
}

/** What `--json` prints of an error; `code` is as the server spelled it, where it is none of ours. */
export function errorJson({ code, serverCode, message, fields, status, hint }: PartnerError) {
  return {
    error: {
      code: serverCode ?? code,
      message,
      ...(fields === undefined ? {} : { fields }),
      ...(status === undefined ? {} : { status }),
      ...(hint === undefined ? {} : { hint }),
    },
  };
}

export function errorText(error: PartnerError, view: View): string {
  return errorLines(view.paint('red', 'error:'), error, view);
}

export function failedLine(id: number, error: PartnerError, view: View): string {
  return errorLines(`${view.paint('red', '✗')} ${id}:`, error, view);
}

function errorLines(head: string, { message, fields = {}, hint }: PartnerError, view: View): string {
  const next = hint === undefined ? '' : paragraph(`${view.paint('dim', '→')} ${clean(hint)}`, view);
  return paragraph(`${head} ${clean(message)}`, view) + fieldLines(Object.entries(fields), view) + next;
}

/** A report of a bug for a user to send: no value of any flag, no key. */
export function bugReport(error: unknown, argv: readonly string[], key: string | undefined): string {
  const lines = [
    '--- report ---',
    `partner ${VERSION} · Node ${process.version} · ${process.platform}-${process.arch}`,
    `command: ${withoutValues(argv)}`,
    ...stacksOf(error instanceof PartnerError ? (error.cause ?? error) : error),
    '--- end of report ---',
    '',
  ];
  // A key of a profile or a file is masked by its form, in `cleanBlock`.
  return cleanBlock(maskKey(lines.join('\n'), key));
}

function withoutValues(argv: readonly string[]): string {
  const flags = beforeDashes(argv).flatMap((word) => /^(?:--[a-z][a-z-]*|-[a-z]$)/.exec(word) ?? []);
  return [
    'partner',
    ...wordsOf(argv).map((word) => (/^[a-z][a-z-]*$/.test(word) ? word : '…')),
    ...flags,
  ].join(' ');
}
