import { HIDDEN } from '../../contract/hidden.ts';

/** What steers a terminal or a log, or cannot stand in XML: control and format characters, halves of characters. */
const STEERING =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|\p{Surrogate}/gu;

/** Text of a file as data, on one line: what would steer whoever shows it, or hide in it, becomes its code, in view. */
export function inert(text: string): string {
  return text.replace(HIDDEN, inCodes).replace(STEERING, inCodes);
}

function inCodes(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** A value as JSON on several lines that no terminal obeys; it reads back to the same value. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value, null, 2).split('\n').map(inert).join('\n');
}
