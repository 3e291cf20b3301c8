import { maskKeys } from '../../contract/mask.ts';
import { charCodes, INVISIBLE_CHARS } from '../../contract/outside-text.ts';

/*
 * Text from a server or a file is data. Whole escape sequences are removed, then the control characters of broken ones,
 * then invisible characters and bidi controls, which can make one text look like another. Keys are masked.
 */

/** An OSC, DCS, SOS, PM or APC string with its end, a CSI sequence, any other escape: 7-bit and 8-bit (C1). */
const SEQUENCES =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x00-\x08\x0a-\x1f\x7f-\x9f]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]|\x1b[\x20-\x2f]*[\x30-\x7e]/g;

const LINE_ENDS = /\r\n|[\n\r\v\f\x85\u2028\u2029]/g;

const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Text for one line of a terminal: ends of lines and tabs become one space. */
export function clean(text: string): string {
  return cleanBlock(text).replace(/[\n\t]+/g, ' ');
}

/** Text for a block of lines: keeps tabs, and every end of a line as `\n`. */
export function cleanBlock(text: string): string {
  const shown = text
    .replace(SEQUENCES, '')
    .replace(LINE_ENDS, '\n')
    .replace(CONTROLS, '')
    .replace(INVISIBLE_CHARS, '')
    .replace(LONE_SURROGATES, '\ufffd');
  return maskKeys(shown);
}

/** JSON text in which what `clean` takes away is written `\uXXXX`: the same JSON, safe on a terminal. */
export function escapeHidden(json: string): string {
  return json.replace(/[\x7f-\x9f]/g, charCodes).replace(INVISIBLE_CHARS, charCodes);
}

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
