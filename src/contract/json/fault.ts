import { clipped, NO_PROBLEMS, type Problem, type Problems } from '../problems.ts';
import { type Position, positionsIn } from './positions.ts';
import { type JsonFlaw, JsonReader } from './reader.ts';
import { Malformed } from './words.ts';

/** What makes `text` no JSON. `JSON.parse`'s own message differs between versions of Node, and may hold the whole text. */
export function jsonFault(text: string): ReturnType<typeof malformedFault> | undefined {
  try {
    new JsonReader(text, 0).readWhole();
    return undefined;
  } catch (error) {
    if (error instanceof Malformed) return malformedFault(error, positionsIn(text));
    throw error;
  }
}

export function malformedFault(error: Malformed, positionAt: (offset: number) => Position) {
  const opened = error.openedAt === undefined ? '' : ` (opened in line ${positionAt(error.openedAt).line})`;
  return { message: `${error.message}${opened}`, hint: error.hint, ...positionAt(error.at) };
}

export function flawWording(
  flaw: JsonFlaw,
  positionAt: (offset: number) => Position,
): { message: string; hint: string } {
  switch (flaw.kind) {
    case 'repeated-name': {
      const { line, column } = positionAt(flaw.firstStart);
      return {
        message: `is given twice, first in line ${line}, column ${column}; only one of them would count`,
        hint: 'take one of them out',
      };
    }
    case 'lost-digits':
      return {
        message: `${clipped(flaw.literal, 40)} would not arrive as it is written but as ${flaw.value}`,
        hint: `whole numbers go up to ${Number.MAX_SAFE_INTEGER}`,
      };
    case 'half-character':
      return {
        message: 'holds half of a character (a \\ud800 to \\udfff without its other half)',
        hint: 'write the character itself, or both halves',
      };
  }
}

/** Names given twice and lost digits, which `JSON.parse` passes over. Throws Malformed where the text nests too deep. */
export function lossesIn(text: string, value: unknown): Problems {
  // Few texts may hold one, and only they are read a second time.
  const mayLoseDigits = /[\d.]{16}|\d[eE]/.test(text);
  if (!mayLoseDigits && (text.match(/"\s*:/g) ?? []).length === namesIn(value)) return NO_PROBLEMS;
  const reader = new JsonReader(text, 0);
  reader.readWhole();
  const positionAt = positionsIn(text);
  const problems = reader.flaws.map(
    (flaw): Problem => ({ path: flaw.path, kind: 'invalid', ...flawWording(flaw, positionAt) }),
  );
  return { problems, more: reader.flawsOmitted };
}

/** How many fields a value and its parts have; NaN where it nests deeper than any listing. */
export function namesIn(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > DEPTH_MAX) return Number.NaN;
  let names = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const part of Object.values(value)) names += namesIn(part, depth + 1);
  return names;
}

const DEPTH_MAX = 5;
