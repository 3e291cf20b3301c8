/** Where something stands in a text: both from 1; a column counts code points, and a tab is one of them. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Gives the position of an offset (UTF-16 units) in `text`. A line ends with LF, CRLF or CR. Lines are
 * counted at the first call only; asking in rising order reads a long line once.
 */
export function positionsIn(text: string): (offset: number) => Position {
  let starts: number[] | undefined;
  let last = { lineStart: 0, offset: 0, column: 1 };
  return (offset) => {
    starts ??= lineStarts(text);
    const index = lastAtMost(starts, offset);
    const lineStart = starts[index] ?? 0;
    const isOnward = last.lineStart === lineStart && last.offset <= offset;
    const from = isOnward ? last : { offset: lineStart, column: 1 };
    const column = from.column + codePoints(text, from.offset, offset);
    last = { lineStart, offset, column };
    return { line: index + 1, column };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const lineEnd of text.matchAll(/\r\n|\n|\r/g)) starts.push(lineEnd.index + lineEnd[0].length);
  return starts;
}

/** The index of the last of the ascending `numbers` that is not above `limit`. */
function lastAtMost(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

function codePoints(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    const isSecondHalf = isBetween(text.charCodeAt(at), 0xdc00, 0xdfff);
    if (!isSecondHalf || !isBetween(text.charCodeAt(at - 1), 0xd800, 0xdbff)) count++;
  }
  return count;
}

function isBetween(code: number, low: number, high: number): boolean {
  return code >= low && code <= high;
}
