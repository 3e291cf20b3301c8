type Letters = Uint8Array | Uint16Array;

/** Returns the distance between two words. It isn't exact above `maxEdits`. */
export function editDistance(one: string, other: string, maxEdits: number): number {
  const key = toUnits(other);
  return new EditRows(toUnits(one), maxEdits, key.length).advance(0, key, 0, key.length);
}

function toUnits(text: string): Uint16Array {
  return Uint16Array.from(text.split(''), (unit) => unit.charCodeAt(0));
}

/**
 * Edit distance (insert, delete, replace, swap of neighbors) from one word to each key of a sorted list. Keys with the
 * same prefix share table rows, and are skipped if the prefix is too far away.
 */
export class EditRows {
  readonly #width: number;
  readonly #rows: Uint8Array;
  readonly #key: Uint16Array;
  /** All keys that share this many letters with the current key are too far away. */
  #deadFrom = Number.POSITIVE_INFINITY;

  constructor(
    private readonly word: Letters,
    private readonly maxEdits: number,
    keyLengthMax: number,
  ) {
    this.#width = word.length + 1;
    this.#key = new Uint16Array(keyLengthMax);
    this.#rows = new Uint8Array(this.#width * (keyLengthMax + 1));
    for (let column = 0; column < this.#width; column++) this.#rows[column] = column;
  }

  /** Returns the distance to a key (`shared` old letters, then `source[start..end)`). Not exact above `maxEdits`. */
  advance(shared: number, source: Letters, start: number, end: number): number {
    const tooFar = this.maxEdits + 1;
    if (shared >= this.#deadFrom) return tooFar;
    this.#deadFrom = Number.POSITIVE_INFINITY;
    let depth = shared;
    for (let at = start; at < end; at++) {
      this.#key[depth] = source[at] as number;
      depth++;
      if (this.#fillRow(depth) > this.maxEdits) {
        this.#deadFrom = depth;
        return tooFar;
      }
    }
    return this.#rows[depth * this.#width + this.#width - 1] as number;
  }

  #fillRow(depth: number): number {
    const rows = this.#rows;
    const { word } = this;
    const width = this.#width;
    const row = depth * width;
    const above = row - width;
    const own = this.#key[depth - 1] as number;
    const ownBefore = depth > 1 ? (this.#key[depth - 2] as number) : -1;
    // Cells more than `maxEdits` away from the diagonal always exceed the limit.
    const first = Math.max(1, depth - this.maxEdits);
    const last = Math.min(width - 1, depth + this.maxEdits);
    rows[row + first - 1] = first === 1 ? Math.min(depth, 255) : 255;
    let least = rows[row + first - 1] as number;
    for (let column = first; column <= last; column++) {
      const letter = word[column - 1] as number;
      const replaced = (rows[above + column - 1] as number) + (letter === own ? 0 : 1);
      const inserted = (rows[row + column - 1] as number) + 1;
      const deleted = column < depth + this.maxEdits ? (rows[above + column] as number) + 1 : replaced;
      const isSwap = letter === ownBefore && column > 1 && word[column - 2] === own;
      const swapped = isSwap ? (rows[above - width + column - 2] as number) + 1 : replaced;
      const edits = Math.min(replaced, inserted, deleted, swapped, 255);
      rows[row + column] = edits;
      least = Math.min(least, edits);
    }
    if (last < width - 1) rows[row + width - 1] = 255;
    return least;
  }
}
