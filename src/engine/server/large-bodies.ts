import type { IncomingMessage } from 'node:http';
import { FILE_BYTES_MAX } from '../applications/files.ts';
import { Turns } from './turns.ts';

/** Smaller bodies never wait. */
const SMALL_BYTES = 16 * 1024;

/** Large bodies take turns, so that those that are read at one time need no more than a given memory. */
export class LargeBodies {
  readonly #turns: Turns;
  readonly #turnMs: number;

  constructor(bytesMax: number, turnMs: number) {
    this.#turns = new Turns(bytesMax);
    this.#turnMs = turnMs;
  }

  /**
   * Runs `work`, which reads the body of `incoming`, when it is its turn. While others wait for theirs, a body that is
   * not whole after `turnMs` is given up: `tooSlow` is called.
   */
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
