import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';

/** Scripts without spaces, where a line can break after any character. */
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

export function getWidth(text: string): number {
  return stringWidth(text.normalize());
}

/** Created on demand, because creating it takes longer than most commands. */
let segmenter: Intl.Segmenter | undefined;

/** Maximum code units per column of any character. Limits the text for the segmenter, which is slow. */
const UNITS_PER_COLUMN = 32;

export function shorten(text: string, columns: number): string {
  if (getWidth(text) <= columns) return text;
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  let kept = '';
  let room = columns - 1;
  for (const { segment } of segmenter.segment(text.slice(0, columns * UNITS_PER_COLUMN))) {
    room -= getWidth(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

export function wrap(text: string, columns: number): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line) => (getWidth(line) <= columns ? [line] : wrapLine(line, columns)));
}

function wrapLine(line: string, columns: number): string[] {
  const indent = /^\s*(?:(?:[-+~*•]|\d+\.) )?/.exec(line)?.[0] ?? '';
  const room = columns - indent.length;
  const words = line.slice(indent.length).split(' ');
  const broken = words.map((word) =>
    SPACELESS.test(word) ? wrapAnsi(word, room, { hard: true }).replaceAll('\n', ' ') : word,
  );
  const hanging = `\n${' '.repeat(indent.length)}`;
  return `${indent}${wrapAnsi(broken.join(' '), room).replaceAll('\n', hanging)}`.split('\n');
}
