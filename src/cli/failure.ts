import { type ErrorCode, PartnerError } from '../contract/errors.ts';
import { flagFor } from '../listings/check/fields.ts';
import type { Connection } from './connection/connect.ts';
import { refusedKeyHint, type Target } from './settings/target.ts';
import { type CliContext, CutOutput } from './terminal/streams.ts';
import { beforeDashes } from './usage.ts';

/** The one place where an error becomes an exit code: shows it on stderr, or as JSON on stdout. */
export async function showFailure(
  error: unknown,
  argv: readonly string[],
  { streams, env, clock, interrupted }: CliContext,
): Promise<number> {
  const { bugReport, errorJson, errorText } = await import('./error-view.ts');
  const isCut = error instanceof CutOutput;
  const reason = isCut ? error.cause : error;
  const known = reason instanceof PartnerError ? reason : new PartnerError('UNEXPECTED', { cause: reason });
  const { jsonText } = await import('./terminal/json.ts');
  const isShown =
    !isCut && asksForJson(argv) && (await isWritten(streams.writeOut(jsonText(errorJson(known)))));
  if (!isShown) {
    const { viewOfErr } = await import('./terminal/view.ts');
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
    'accept them with `partner dashboard accept-terms`, add a card with `partner dashboard add-card` unless one is on file, then publish again',
  PAYMENT_METHOD_REQUIRED: 'add a test card with `partner dashboard add-card`, then publish again',
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
  return hint === undefined ? error : error.withHint(hint);
}

/** A flag that named the bundled engine is needed by the next command too. */
function asTyped(hint: string | undefined, { from }: Target): string | undefined {
  const isByFlag = from.baseUrl.startsWith('flag');
  return isByFlag ? hint?.replaceAll(/`(partner dashboard [a-z-]+)`/g, '`$1 --local`') : hint;
}
