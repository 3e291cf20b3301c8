import { type Position, positionsIn } from './positions.ts';
import { JsonReader, Malformed } from './reader.ts';

/** The first place where a text stops being JSON, and what to do about it where that is clear. */
export interface JsonFault extends Position {
  readonly message: string;
  readonly hint?: string;
}

/**
 * What makes `text` no JSON; undefined where it is JSON. `JSON.parse`'s own message differs between versions
 * of Node, and may hold the whole text.
 */
export function jsonFault(text: string): JsonFault | undefined {
  try {
    new JsonReader(text, { markDepth: 0 }).readWhole();
    return undefined;
  } catch (error) {
    if (error instanceof Malformed) return malformedFault(error, positionsIn(text));
    throw error;
  }
}

/** A fault of the reader with its position, and with the line of the bracket or quote that it speaks of. */
export function malformedFault(error: Malformed, positionAt: (offset: number) => Position): JsonFault {
  const opened = error.openedAt === undefined ? '' : ` (opened in line ${positionAt(error.openedAt).line})`;
  return {
    message: `${error.message}${opened}`,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...positionAt(error.at),
  };
}
