/** The restricted Damerau-Levenshtein distance. */
export function editDistance(a: string, b: string): number {
  const width = b.length + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: width }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column < width; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      }
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

/** A longer text is no misspelling of a word. */
const WORD_CHARACTERS_MAX = 300;

/** Case, `_`, `-` and spaces do not count; near is at most a third of the word in edits, or a clear prefix. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > WORD_CHARACTERS_MAX) return undefined;
  const wanted = plain(word);
  if (wanted === '') return undefined;
  let best: string | undefined;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const other = plain(candidate);
    const isPrefix = wanted.length >= 3 && (other.startsWith(wanted) || wanted.startsWith(other));
    const allowed = Math.max(1, Math.floor(Math.max(wanted.length, other.length) / 3));
    if (Math.abs(wanted.length - other.length) > allowed && !isPrefix) continue;
    const cost = editDistance(wanted, other);
    if (cost > allowed && !isPrefix) continue;
    const weighed = isPrefix ? Math.min(cost, 0.5 + cost / 100) : cost;
    if (weighed < bestCost) {
      best = candidate;
      bestCost = weighed;
    }
  }
  return best;
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[\s_-]+/g, '');
}
