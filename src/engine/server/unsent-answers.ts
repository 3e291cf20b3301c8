import type { Duplex } from 'node:stream';

/** Above this, clients that have read nothing for `PATIENT_MS` are cut off. */
const PATIENT_BYTES_MAX = 12 * 1024 * 1024;
const PATIENT_MS = 250;
/** Above this, they are cut off at once. */
const BYTES_MAX = 24 * 1024 * 1024;

interface Unsent {
  readonly bytes: number;
  readonly lastReadAt: number;
}

/** Bounds the memory of all answers that clients have not read yet. */
export class UnsentAnswers {
  readonly #now: () => number;
  /** The one that has read nothing for the longest comes first. */
  readonly #unsent = new Map<Duplex, Unsent>();
  #total = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Notes how many bytes a connection keeps for its client, each time that it has sent some. */
  set(connection: Duplex, bytes: number): void {
    const before = this.#unsent.get(connection);
    if (before === undefined && bytes === 0) return;
    const lastReadAt = this.#now();
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
