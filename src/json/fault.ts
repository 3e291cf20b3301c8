import { clipText, NO_PROBLEMS, type Problem, type Problems } from '../contract/problems.ts';
import { createPositionFinder, type Position } from './positions.ts';
import { JsonReader } from './reader.ts';
import { type JsonFlaw, Malformed } from './words.ts';

/** Explains why a text isn't JSON. The message of `JSON.parse` depends on Node's version and may contain the text. */
export function jsonFault(text: string): ReturnType<typeof describeMalformed> | undefined {
  try {
    new JsonReader(text, 0).readWhole();
    return undefined;
  } catch (error) {
    if (error instanceof Malformed) return describeMalformed(error, createPositionFinder(text));
    throw error;
  }
}

export function describeMalformed(error: Malformed, positionAt: (offset: number) => Position) {
  const opened = error.openedAt === undefined ? '' : ` (opened on line ${positionAt(error.openedAt).line})`;
  return { message: `${error.message}${opened}`, hint: error.hint, ...positionAt(error.at) };
}

export function flawWording(
  flaw: JsonFlaw,
  positionAt: (offset: number) => Position,
): { message: string; hint: string } {
  switch (flaw.rule) {
    case 'json-repeated-field': {
      const { line, column } = positionAt(flaw.firstStart);
      return {
        message: `appears twice, first on line ${line}, column ${column}. Only one of them would be used`,
        hint: 'remove one of them',
      };
    }
    case 'json-lost-digits':
      return {
        message: `${clipText(flaw.literal, 40)} can't be stored exactly. It would become ${flaw.value}`,
        hint: `the largest whole number is ${Number.MAX_SAFE_INTEGER}`,
      };
    case 'json-half-character':
      return {
        message: 'contains half of a character (an unpaired surrogate, \\ud800 to \\udfff)',
        hint: 'use the whole character, or escape both halves',
      };
  }
}

/** Finds duplicate names and lost digits, which `JSON.parse` ignores. Throws Malformed if nested too deep. */
export function findLosses(text: string, value: unknown): Problems {
  const mayLoseDigits = /[\d.]{16}|\d[eE]/.test(text);
  if (!mayLoseDigits && (text.match(/"\s*:/g) ?? []).length === countNames(value)) return NO_PROBLEMS;
  const reader = new JsonReader(text, 0);
  reader.readWhole();
  const positionAt = createPositionFinder(text);
  const problems = reader.flaws.map(
    (flaw): Problem => ({ path: flaw.path, kind: 'invalid', ...flawWording(flaw, positionAt) }),
  );
  return { problems, more: reader.flawsOmitted };
}

export function countNames(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > DEPTH_MAX) return Number.NaN;
  let names = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const part of Object.values(value)) names += countNames(part, depth + 1);
  return names;
}

const DEPTH_MAX = 5;
