import { maskKeys } from '../../contract/mask.ts';
import { clean } from './clean.ts';

/** A text as one word of a command line that is shown to be typed; what a terminal must not get is spelled, a key its label. */
export function shellWord(given: string): string {
  const text = maskKeys(given);
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (clean(text) === text) return `'${text.replaceAll("'", "'\\''")}'`;
  const spelled = text.replace(/[\\']|[^\x20-\x7e]/g, (unit) =>
    unit === '\\' || unit === "'" ? `\\${unit}` : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `$'${spelled}'`;
}
