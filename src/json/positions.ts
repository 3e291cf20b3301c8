/** A position in a document. Lines and columns start at 1, and columns count code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Offsets of a value, its name and its parts. For array entries, `nameStart` equals `start`. */
export interface Mark {
  readonly start: number;
  readonly nameStart: number;
  parts?: Map<string | number, Mark>;
}

/** Converts offsets (UTF-16 units) to positions. A line ends with LF, CRLF or CR. */
export function createPositionFinder(text: string): (offset: number) => Position {
  let starts: Uint32Array | undefined;
  // Counts columns from the last offset, because a file may be one long line.
  let last = { index: 0, offset: 0, pairs: 0 };
  return (offset) => {
    if (offset === 0) return { line: 1, column: 1 };
    starts ??= lineStarts(text);
    const index = lastAtMost(starts, offset);
    const start = starts[index] ?? 0;
    if (index !== last.index) last = { index, offset: start, pairs: 0 };
    const pairs =
      offset >= last.offset
        ? last.pairs + countPairs(text, last.offset, offset)
        : last.pairs - countPairs(text, offset, last.offset);
    last = { index, offset, pairs };
    return { line: index + 1, column: offset - start - pairs + 1 };
  };
}

const LINE_END = /\r\n|[\r\n]/g;

/** Uses a typed array to limit memory to four bytes per line, even if the input is all line breaks. */
function lineStarts(text: string): Uint32Array {
  let lines = 1;
  while (LINE_END.test(text)) lines++;
  const starts = new Uint32Array(lines);
  for (let line = 1; LINE_END.test(text); line++) starts[line] = LINE_END.lastIndex;
  return starts;
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

function countPairs(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) count++;
  }
  return count;
}
