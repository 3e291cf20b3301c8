import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { FILE_BYTES_MAX } from '../applications/files.ts';

/** Work that takes turns, first come, first served: what runs at one time is together no larger than `most`. */
export class Turns {
  readonly #waiting: { readonly size: number; readonly begin: () => void }[] = [];
  #taken = 0;

  constructor(private readonly most: number) {}

  get isAwaited(): boolean {
    return this.#waiting.length > 0;
  }

  async run<T>(size: number, work: () => Promise<T>): Promise<T> {
    if (!this.isAwaited && this.#fits(size)) this.#taken += size;
    else await new Promise<void>((begin) => this.#waiting.push({ size, begin }));
    try {
      return await work();
    } finally {
      this.#taken -= size;
      this.#beginNext();
    }
  }

  #fits(size: number): boolean {
    return this.#taken === 0 || this.#taken + size <= this.most;
  }

  #beginNext(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      if (!this.#fits(next.size)) return;
      this.#waiting.shift();
      this.#taken += next.size;
      next.begin();
    }
  }
}

const SMALL_BYTES = 16 * 1024;

/** Gives what runs `work`, which reads a body, in its turn, and calls `tooSlow` where others wait after `turnMs`. */
export function largeBodies(bytesMax: number, turnMs: number) {
  const turns = new Turns(bytesMax);
  return (incoming: IncomingMessage, work: () => Promise<void>, tooSlow: () => void): Promise<void> => {
    const bytes = largeBytesOf(incoming);
    if (bytes === 0) return work();
    return turns.run(bytes, async () => {
      const timer = setInterval(() => {
        if (!incoming.complete && turns.isAwaited) tooSlow();
      }, turnMs).unref();
      await work().finally(() => clearInterval(timer));
    });
  };
}

/** The memory that a body may take; 0 where it is small, or too large to be read at all. */
function largeBytesOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return FILE_BYTES_MAX;
  const bytes = Number(headers['content-length'] ?? 0);
  return bytes > SMALL_BYTES && bytes <= FILE_BYTES_MAX ? bytes : 0;
}

/** Above this, clients that have read nothing for `PATIENT_MS` are cut off. */
const PATIENT_BYTES_MAX = 12 * 1024 * 1024;
const PATIENT_MS = 250;
/** Above this, they are cut off at once. */
const BYTES_MAX = 24 * 1024 * 1024;

/** Bounds the memory of all answers that clients have not read yet. */
export class UnsentAnswers {
  /** The one that has read nothing for the longest comes first. */
  readonly #unsent = new Map<Duplex, { readonly bytes: number; readonly lastReadAt: number }>();
  #total = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Notes how many bytes a connection keeps for its client, each time that it has sent some. */
  set(connection: Duplex, bytes: number): void {
    const before = this.#unsent.get(connection);
    if (before === undefined && bytes === 0) return;
    const lastReadAt = this.now();
    this.#total += bytes - (before?.bytes ?? 0);
    this.#unsent.delete(connection);
    if (bytes > 0) this.#unsent.set(connection, { bytes, lastReadAt });
    for (const [stalled, unsent] of this.#unsent) {
      const isPatient = lastReadAt - unsent.lastReadAt < PATIENT_MS && this.#total <= BYTES_MAX;
      if (this.#total <= PATIENT_BYTES_MAX || isPatient || stalled === connection) return;
      this.#unsent.delete(stalled);
      this.#total -= unsent.bytes;
      stalled.destroy();
    }
  }
}
