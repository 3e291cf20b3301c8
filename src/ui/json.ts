import { escapeHidden } from './clean.ts';

/** The one document that `--json` prints: indented, ended by a newline, safe on a terminal. */
export function jsonText(value: unknown): string {
  return `${escapeHidden(JSON.stringify(value, null, 2) ?? 'null')}\n`;
}
