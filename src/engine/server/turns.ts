import type { IncomingMessage } from 'node:http';
import { FILE_BYTES_MAX } from '../applications/files.ts';

/** Work that takes turns, first come, first served: what runs at one time is together no larger than `most`. */
export class Turns {
  readonly #most: number;
  readonly #waiting: { readonly size: number; readonly begin: () => void }[] = [];
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isAwaited(): boolean {
    return this.#waiting.length > 0;
  }

  async run<T>(size: number, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      this.#waiting.push({ size, begin });
      this.#beginNext();
    });
    try {
      return await work();
    } finally {
      this.#taken -= size;
      this.#beginNext();
    }
  }

  #beginNext(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      if (this.#taken > 0 && this.#taken + next.size > this.#most) return;
      this.#waiting.shift();
      this.#taken += next.size;
      next.begin();
    }
  }
}

/** Smaller bodies never wait. */
const SMALL_BYTES = 16 * 1024;

/** Bounds the memory of the large bodies that are read at one time. */
export class LargeBodies {
  readonly #turns: Turns;
  readonly #turnMs: number;

  constructor(bytesMax: number, turnMs: number) {
    this.#turns = new Turns(bytesMax);
    this.#turnMs = turnMs;
  }

  /** Runs `work`, which reads a body, in its turn; calls `tooSlow` after `turnMs` if others wait and it is not whole. */
  inTurn(incoming: IncomingMessage, work: () => Promise<void>, tooSlow: () => void): Promise<void> {
    const bytes = largeBytesOf(incoming);
    if (bytes === 0) return work();
    return this.#turns.run(bytes, async () => {
      const timer = setInterval(() => {
        if (!incoming.complete && this.#turns.isAwaited) tooSlow();
      }, this.#turnMs).unref();
      await work().finally(() => clearInterval(timer));
    });
  }
}

/** The memory that a body may take; 0 where it is small, or too large to be read at all. */
function largeBytesOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return FILE_BYTES_MAX;
  const bytes = Number(headers['content-length'] ?? 0);
  return bytes > SMALL_BYTES && bytes <= FILE_BYTES_MAX ? bytes : 0;
}
