import type { Duplex } from 'node:stream';

/**
 * The bytes of answers that clients have not read yet, of all connections. Where they become more than `bytesMax`, the
 * client that has read nothing for the longest is cut off.
 */
export class UnsentAnswers {
  readonly #bytesMax: number;
  /** The one that has read nothing for the longest comes first. */
  readonly #bytes = new Map<Duplex, number>();
  #total = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Notes how many bytes a connection has still to send, each time that it has sent some. */
  set(connection: Duplex, bytes: number): void {
    this.#total += bytes - (this.#bytes.get(connection) ?? 0);
    this.#bytes.delete(connection);
    if (bytes > 0) this.#bytes.set(connection, bytes);
    const [stalled] = this.#bytes.keys();
    if (this.#total > this.#bytesMax && stalled !== connection) stalled?.destroy();
  }
}
