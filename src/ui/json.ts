import { escapeHidden, escapeNonAscii } from './clean.ts';
import type { Streams } from './streams.ts';

/** The one document that `--json` prints: indented, ended by a newline, safe on a terminal, in ASCII where that is all it shows. */
export function jsonText(value: unknown, { isAsciiOut }: Pick<Streams, 'isAsciiOut'>): string {
  const json = escapeHidden(JSON.stringify(value, null, 2) ?? 'null');
  return `${isAsciiOut ? escapeNonAscii(json) : json}\n`;
}
