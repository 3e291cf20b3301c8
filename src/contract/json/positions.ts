/** Where something stands in a text: both from 1; a column counts code points, and a tab is one of them. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A long line is counted in parts of this many UTF-16 units, once. */
const PART_LENGTH = 4096;

/**
 * Gives the position of an offset (UTF-16 units) in `text`. A line ends with LF, CRLF or CR. The text is
 * counted through at the first call only.
 */
export function positionsIn(text: string): (offset: number) => Position {
  let starts: Uint32Array | undefined;
  let pairsBefore: (offset: number) => number = () => 0;
  return (offset) => {
    // Where a listing that has a file of its own begins.
    if (offset === 0) return { line: 1, column: 1 };
    if (starts === undefined) {
      starts = lineStarts(text);
      pairsBefore = pairCounter(text);
    }
    const index = lastAtMost(starts, offset);
    const lineStart = starts[index] ?? 0;
    const pairs = pairsBefore(offset) - pairsBefore(lineStart);
    return { line: index + 1, column: offset - lineStart - pairs + 1 };
  };
}

/** Four bytes each: a text may be line ends and nothing else. */
function lineStarts(text: string): Uint32Array {
  let starts = new Uint32Array(64);
  let count = 1;
  let feed = text.indexOf('\n');
  let carriage = text.indexOf('\r');
  while (feed !== -1 || carriage !== -1) {
    const isFeed = carriage === -1 || (feed !== -1 && feed <= carriage + 1);
    const next = (isFeed ? feed : carriage) + 1;
    if (count === starts.length) starts = enlarged(starts);
    starts[count++] = next;
    if (feed !== -1 && feed < next) feed = text.indexOf('\n', next);
    if (carriage !== -1 && carriage < next) carriage = text.indexOf('\r', next);
  }
  return starts.subarray(0, count);
}

function enlarged(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}

/** The index of the last of the ascending `numbers` that is not above `limit`. */
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

/** Counts the code points before an offset that take two UTF-16 units. */
function pairCounter(text: string): (offset: number) => number {
  if (!/[\ud800-\udbff]/.test(text)) return () => 0;
  const sums = [0];
  for (let start = 0; start < text.length; start += PART_LENGTH) {
    sums.push((sums.at(-1) ?? 0) + pairsIn(text, start, start + PART_LENGTH));
  }
  return (offset) => {
    const part = Math.floor(offset / PART_LENGTH);
    return (sums[part] ?? 0) + pairsIn(text, part * PART_LENGTH, offset);
  };
}

/** A pair counts where its second half stands. */
function pairsIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    if (isBetween(text.charCodeAt(at), 0xdc00, 0xdfff) && isBetween(text.charCodeAt(at - 1), 0xd800, 0xdbff))
      count++;
  }
  return count;
}

function isBetween(code: number, low: number, high: number): boolean {
  return code >= low && code <= high;
}
