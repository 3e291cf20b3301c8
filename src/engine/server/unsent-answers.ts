import type { Duplex } from 'node:stream';

/** Where answers that are not read take more than this together, who reads nothing is cut off... */
const PATIENT_BYTES_MAX = 12 * 1024 * 1024;
/** ...after this time, */
const PATIENT_MS = 250;
/** and at once where they take more than this. */
const BYTES_MAX = 24 * 1024 * 1024;

interface Unsent {
  readonly bytes: number;
  /** When the client has last read something. */
  readonly readAt: number;
}

/** The answers that clients have not read yet, of all connections: together they are bounded. */
export class UnsentAnswers {
  readonly #now: () => number;
  /** The one that has read nothing for the longest comes first. */
  readonly #unsent = new Map<Duplex, Unsent>();
  #total = 0;

  /** `now` gives milliseconds that never go back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Notes how many bytes a connection has to keep for its client, each time that it has sent some. */
  set(connection: Duplex, bytes: number): void {
    const before = this.#unsent.get(connection);
    if (before === undefined && bytes === 0) return;
    const readAt = this.#now();
    this.#total += bytes - (before?.bytes ?? 0);
    this.#unsent.delete(connection);
    if (bytes > 0) this.#unsent.set(connection, { bytes, readAt });
    for (const [stalled, unsent] of this.#unsent) {
      const isPatient = readAt - unsent.readAt < PATIENT_MS && this.#total <= BYTES_MAX;
      if (this.#total <= PATIENT_BYTES_MAX || isPatient || stalled === connection) return;
      stalled.destroy();
    }
  }
}
