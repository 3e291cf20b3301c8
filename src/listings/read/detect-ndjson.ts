import type { Chunks } from './bytes.ts';
import { readJson } from './json.ts';

/** How a file begins, as far as `isEnough` needs it, and the whole of it, its beginning included. */
export async function headOf(
  chunks: Chunks,
  isEnough: (head: Buffer) => boolean,
): Promise<{ readonly head: Buffer; readonly all: Chunks }> {
  const iterator = chunks[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  let next = await iterator.next();
  while (!next.done) {
    head = Buffer.concat([head, next.value]);
    if (isEnough(head)) break;
    next = await iterator.next();
  }
  return { head, all: joined(head, iterator) };
}

async function* joined(head: Buffer, iterator: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield head;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

/** The first line that is not blank, and how the next one begins. */
const TWO_LINES = /^\s*(\S[^\r\n]*)[\r\n]\s*(\S)/;

/** True where `head` shows whether the file has one listing on each line. */
export function showsLines(head: Buffer): boolean {
  return TWO_LINES.test(head.toString());
}

/**
 * True where the first line is a listing by itself, or would be one were it not broken: no document has a
 * line that begins with a brace behind one that ends with one.
 */
export function beginsOnePerLine(head: Buffer): boolean {
  const [, first = '', next] = TWO_LINES.exec(head.toString()) ?? [];
  if (!first.startsWith('{')) return false;
  return readJson(first).ok || (next === '{' && /\}\s*$/.test(first));
}
