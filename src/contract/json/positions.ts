/** Where something stands in a text: both from 1; a column counts code points, and a tab is one of them. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Gives the position of an offset (UTF-16 units) in `text`. A line ends with LF, CRLF or CR. */
export function positionsIn(text: string): (offset: number) => Position {
  let starts: Uint32Array | undefined;
  // From one offset to the next only what lies between is counted: a file may be one long line.
  let last = { index: 0, offset: 0, pairs: 0 };
  return (offset) => {
    if (offset === 0) return { line: 1, column: 1 };
    starts ??= lineStarts(text);
    const index = lastAtMost(starts, offset);
    const start = starts[index] ?? 0;
    if (index !== last.index) last = { index, offset: start, pairs: 0 };
    const pairs =
      offset >= last.offset
        ? last.pairs + pairsIn(text, last.offset, offset)
        : last.pairs - pairsIn(text, offset, last.offset);
    last = { index, offset, pairs };
    return { line: index + 1, column: offset - start - pairs + 1 };
  };
}

/** Four bytes a line: a text may be line ends and nothing else. */
function lineStarts(text: string): Uint32Array {
  let lines = 1;
  for (let at = 0; at < text.length; at++) if (endsLine(text, at)) lines++;
  const starts = new Uint32Array(lines);
  for (let at = 0, line = 1; line < lines; at++) if (endsLine(text, at)) starts[line++] = at + 1;
  return starts;
}

function endsLine(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a);
}

function lastAtMost(numbers: Uint32Array, limit: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

function pairsIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) count++;
  }
  return count;
}
