import type { IncomingMessage } from 'node:http';
import { FILE_BYTES_MAX } from '../applications/files.ts';

/** Smaller bodies never wait. */
const SMALL_BYTES = 16 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/** Large bodies take turns, so that those that are read at one time need no more than a given memory. */
export class LargeBodies {
  readonly #bytesMax: number;
  readonly #turnMs: number;
  readonly #waiting: Waiting[] = [];
  #taken = 0;

  constructor(bytesMax: number, turnMs: number) {
    this.#bytesMax = bytesMax;
    this.#turnMs = turnMs;
  }

  /**
   * Runs `work`, which reads the body of `incoming`, when it is its turn. While others wait for theirs, a body that is
   * not whole after `turnMs` is given up: `tooSlow` is called.
   */
  async inTurn(incoming: IncomingMessage, work: () => Promise<void>, tooSlow: () => void): Promise<void> {
    const bytes = largeBytesOf(incoming);
    if (bytes === 0) return work();
    await this.#begun(bytes);
    const timer = setInterval(() => {
      if (!incoming.complete && this.#waiting.length > 0) tooSlow();
    }, this.#turnMs).unref();
    try {
      await work();
    } finally {
      clearInterval(timer);
      this.#taken -= bytes;
      this.#beginNext();
    }
  }

  #begun(bytes: number): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push({ bytes, begin });
      this.#beginNext();
    });
  }

  #beginNext(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      if (this.#taken > 0 && this.#taken + next.bytes > this.#bytesMax) return;
      this.#waiting.shift();
      this.#taken += next.bytes;
      next.begin();
    }
  }
}

/** The memory that a body may take; 0 where it is small, or too large to be read at all. */
function largeBytesOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return FILE_BYTES_MAX;
  const bytes = Number(headers['content-length'] ?? 0);
  return bytes > SMALL_BYTES && bytes <= FILE_BYTES_MAX ? bytes : 0;
}
