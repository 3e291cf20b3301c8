import { PartnerError } from '../contract/errors.ts';
import { paragraph } from './terminal/blocks.ts';
import { clean, cleanBlock } from './terminal/clean.ts';
import { fieldLines } from './terminal/field-lines.ts';
import type { View } from './terminal/view.ts';

/** What `--json` prints of an error. */
export interface ErrorDocument {
  readonly error: {
    /** As the server spelled it, where it is none of ours. */
    readonly code: string;
    readonly message: string;
    readonly fields?: Readonly<Record<string, string>>;
    readonly status?: number;
    readonly hint?: string;
  };
}

export function errorJson(error: PartnerError): ErrorDocument {
  const { code, serverCode, message, fields, status, hint } = error;
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

/** An error for people: the message, one line a field, what to do next. */
export function errorText(error: PartnerError, view: View): string {
  const message = `${view.paint('red', 'error:')} ${clean(error.message)}`;
  return paragraph(message, view) + errorDetails(error, view);
}

/** What stands below an error's message: one line a field, what to do next. */
export function errorDetails({ fields = {}, hint }: PartnerError, view: View): string {
  const next = hint === undefined ? '' : paragraph(`${view.paint('dim', '→')} ${clean(hint)}`, view);
  return fieldLines(Object.entries(fields), view) + next;
}

/** What a report of a bug says of the place where it happened. */
export interface ReportFacts {
  readonly version: string;
  readonly node: string;
  readonly platform: string;
  readonly argv: readonly string[];
  /** Takes keys out of a text. */
  readonly mask: (text: string) => string;
}

/** What a user can send to have a bug mended: where it happened and how, no value of any flag, no key. */
export function bugReport(error: unknown, { version, node, platform, argv, mask }: ReportFacts): string {
  return cleanBlock(
    mask(
      [
        '--- report ---',
        `partner ${version} · Node ${node} · ${platform}`,
        `command: ${withoutValues(argv)}`,
        ...stacks(error),
        '--- end of report ---',
        '',
      ].join('\n'),
    ),
  );
}

/** The command's words and the names of its flags: a value may be nobody else's business. */
function withoutValues(argv: readonly string[]): string {
  const end = argv.indexOf('--');
  const given = end === -1 ? argv : argv.slice(0, end);
  const firstFlag = given.findIndex((word) => word.startsWith('-'));
  const words = given.slice(0, firstFlag === -1 ? given.length : firstFlag);
  const flags = given.flatMap((word) => /^(?:--[a-z][a-z-]*|-[a-z]$)/.exec(word) ?? []);
  return ['partner', ...words.map((word) => (/^[a-z][a-z-]*$/.test(word) ? word : '…')), ...flags].join(' ');
}

/** An error that wraps another says less than that one; a chain longer than this leads back to itself. */
const MOST_CAUSES = 5;

function stacks(error: unknown): string[] {
  const chain: unknown[] = [error instanceof PartnerError && error.cause !== undefined ? error.cause : error];
  for (
    let last = chain[0];
    last instanceof Error && last.cause !== undefined && chain.length < MOST_CAUSES;
  ) {
    last = last.cause;
    chain.push(last);
  }
  return chain.flatMap((cause, index) => [...(index === 0 ? [] : ['caused by:']), stackOf(cause)]);
}

function stackOf(error: unknown): string {
  return error instanceof Error
    ? (error.stack ?? `${error.name}: ${error.message}`)
    : `thrown: ${String(error)}`;
}
