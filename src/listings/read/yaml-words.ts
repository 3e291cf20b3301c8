import type { Document, YAMLError } from 'yaml';
import type { Position } from '../../contract/json/positions.ts';
import type { Wording } from '../../contract/json/words.ts';
import type { Fault } from '../check/finding.ts';
import words from './yaml-words.json' with { type: 'json' };

/** An error is often followed by others that it caused: so many places are shown. */
const SHOWN_MAX = 20;

/** Where a document is no YAML of a job file, and in plain words why: the first error of each line. */
export function yamlFaults(
  { errors, warnings, contents }: Document.Parsed,
  text: string,
  positionAt: (offset: number) => Position,
): Fault[] {
  const faults = new Map<number, Fault>();
  const end = contents?.range[2] ?? 0;
  // It only warns of a tag that it does not know.
  for (const error of [...errors, ...warnings].sort((one, other) => one.pos[0] - other.pos[0])) {
    const openedAt = openQuote(error, text);
    const position = positionAt(openedAt ?? error.pos[0]);
    if (!faults.has(position.line)) {
      const [message, hint] = openedAt === undefined ? wordingOf(error, text) : UNCLOSED;
      faults.set(position.line, { rule: 'yaml-syntax', message, hint, ...position });
    }
    // Behind the end of a document nothing fits any more.
    if (faults.size === SHOWN_MAX || error.pos[0] >= end) break;
  }
  return [...faults.values()];
}

const UNCLOSED: Wording = ['a text in quotes has no end', 'end it with the quote that it begins with'];

/** Where a quote begins that has no end: the library names the end of the text in it. */
function openQuote({ message, pos: [at] }: YAMLError, text: string): number | undefined {
  const [, quote] = /^Missing closing (["'])quote/.exec(message) ?? [];
  return quote === undefined ? undefined : text.lastIndexOf(quote, at - 1);
}

/** By the library's code and what is written before and behind the place; the first that fits counts. */
const ROWS = words.map(({ codes = '', before = '', after = '', message, hint }) => ({
  codes: codes.split(' '),
  isBehind: new RegExp(before),
  isBefore: new RegExp(after),
  wording: [message, hint] as const,
}));

function wordingOf({ code, message, pos: [at] }: YAMLError, text: string): Wording {
  const [before, after] = [text.slice(Math.max(0, at - 200), at), text.slice(at, at + 200)];
  const row = ROWS.find(
    ({ codes: [any, ...codes], isBehind, isBefore }) =>
      (any === '' || any === code || codes.includes(code)) && isBehind.test(before) && isBefore.test(after),
  );
  return row?.wording ?? [message.replace(/^./, (letter) => letter.toLowerCase()), 'correct it'];
}
