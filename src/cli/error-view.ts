import { PartnerError } from '../contract/errors.ts';
import { maskKey } from '../contract/outside-text.ts';
import { VERSION } from '../package.ts';
import { clean, cleanBlock, fieldLines, paragraph, type View } from './terminal/view.ts';
import { beforeDashes, wordsOf } from './usage.ts';

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
  const message = `${view.paint('red', 'error:')} ${clean(error.message)}`;
  return paragraph(message, view) + errorDetails(error, view);
}

/** Why one of several failed. */
export function failedLine(
  { id, error }: { readonly id: number; readonly error: PartnerError },
  view: View,
): string {
  return (
    paragraph(`${view.paint('red', '✗')} ${id}: ${clean(error.message)}`, view) + errorDetails(error, view)
  );
}

function errorDetails({ fields = {}, hint }: PartnerError, view: View): string {
  const next = hint === undefined ? '' : paragraph(`${view.paint('dim', '→')} ${clean(hint)}`, view);
  return fieldLines(Object.entries(fields), view) + next;
}

/** A report of a bug for a user to send: no value of any flag, no key. */
export function bugReport(error: unknown, argv: readonly string[], key: string | undefined): string {
  const lines = [
    '--- report ---',
    `partner ${VERSION} · Node ${process.version} · ${process.platform}-${process.arch}`,
    `command: ${withoutValues(argv)}`,
    ...stacks(error),
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

/** A longer chain of causes leads back to itself. */
const CAUSES_MAX = 5;

function stacks(error: unknown): string[] {
  let last = error instanceof PartnerError && error.cause !== undefined ? error.cause : error;
  const lines = [stackOf(last)];
  for (let count = 1; last instanceof Error && last.cause !== undefined && count < CAUSES_MAX; count++) {
    last = last.cause;
    lines.push('caused by:', stackOf(last));
  }
  return lines;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${String(error)}`;
  return error.stack ?? `${error.name}: ${error.message}`;
}
