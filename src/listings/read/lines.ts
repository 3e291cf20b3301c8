import type { Chunks } from './bytes.ts';
import { readJson } from './json.ts';

/** A line of a file, without its end; blank ones included. */
export interface Line {
  readonly bytes: Buffer;
  readonly number: number;
  readonly bytesBefore: number;
  /** True where it is longer than it may be: `bytes` is its beginning, and no line follows. */
  readonly isTooLong: boolean;
}

const LF = 0x0a;

/** The lines of a file, which end with LF or CRLF; a CR stays, as JSON takes it for a space. */
export async function* linesOf(chunks: Chunks, bytesMax: number): AsyncGenerator<Line> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let number = 0;
  let bytesBefore = 0;
  const lineWith = (end: Buffer): Line => {
    const bytes = held.length === 0 ? end : Buffer.concat([...held, end]);
    number++;
    const line = { bytes, number, bytesBefore, isTooLong: bytes.length > bytesMax };
    [held, heldBytes, bytesBefore] = [[], 0, bytesBefore + bytes.length + 1];
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, from)) {
      const line = lineWith(chunk.subarray(from, end));
      yield line;
      if (line.isTooLong) return;
      from = end + 1;
    }
    held.push(chunk.subarray(from));
    heldBytes += chunk.length - from;
    if (heldBytes > bytesMax) return yield lineWith(Buffer.alloc(0));
  }
  if (heldBytes > 0) yield lineWith(Buffer.alloc(0));
}

const TWO_LINES = /^\s*(\S[^\r\n]*)[\r\n]\s*(\S)/;

/** True where `head` shows whether the file has one listing on each line. */
export function showsLines(head: Buffer): boolean {
  return head.includes(LF) && TWO_LINES.test(head.toString());
}

/** True where the first line is a listing, or a broken one: no document has `{` on the line after `}`. */
export function isNdjson(head: Buffer): boolean {
  const [, first = '', next] = TWO_LINES.exec(head.toString()) ?? [];
  if (!first.startsWith('{')) return false;
  return readJson(first).ok || (next === '{' && /\}\s*$/.test(first));
}
