import { clipText, NO_PROBLEMS, type Problem, type Problems } from '../contract/problems.ts';
import { createPositionFinder, type Position } from './positions.ts';
import { JsonReader } from './reader.ts';
import words from './words.json' with { type: 'json' };
import { fillTemplate, type JsonFlaw, Malformed } from './words.ts';

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

export function flawWording(flaw: JsonFlaw, positionAt: (offset: number) => Position) {
  const { message, hint } = words.flaws[flaw.rule];
  const values = {
    ...(flaw.rule === 'json-repeated-field' && positionAt(flaw.firstStart)),
    ...(flaw.rule === 'json-lost-digits' && { literal: clipText(flaw.literal, 40), value: flaw.value }),
  };
  return { message: fillTemplate(message, values), hint };
}

/**
 * Finds duplicate names and lost digits, which `JSON.parse` ignores. `names` is the result of `countNames` for the value.
 * Throws Malformed if nested too deep.
 */
export function findLosses(text: string, value: unknown, names: number): Problems {
  // Most clients send `JSON.stringify` output. If the text is equal, nothing was lost.
  if (!Number.isNaN(names) && JSON.stringify(value) === text) return NO_PROBLEMS;
  const mayLoseDigits = /[\d.]{16}|\d[eE]/.test(text);
  if (!mayLoseDigits && (text.match(/"\s*:/g) ?? []).length === names) return NO_PROBLEMS;
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
