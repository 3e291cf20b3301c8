import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Work that takes turns, first come, first served. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(private readonly most: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken < this.most) this.#taken++;
    else await new Promise<void>((begin) => this.#waiting.push(begin));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#taken--;
      else next();
    }
  }
}

const SMALL_BYTES = 16 * 1024;
/** A body that grows by less between two checks is stalled: some 300 kbit/s. */
const STALLED_BYTES = 5 * 1024;

export function isLarge({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > SMALL_BYTES;
}

interface LargeBody {
  readonly incoming: IncomingMessage;
  readonly sender: string;
  readonly cutOff: () => void;
  bytes: number;
  checkedBytes: number;
}

/**
 * Bounds the memory of large bodies by the bytes that have arrived. Above `bytesMax`, senders with more than an equal
 * share wait, except for the oldest body of all. If that one or one of theirs stalls, it is cut off.
 */
export class LargeBodies {
  readonly #bodies = new Set<LargeBody>();
  readonly #waiting = new Set<LargeBody>();
  readonly #bytesOf = new Map<string, number>();
  #total = 0;
  #nextCheck: NodeJS.Timeout | undefined;

  constructor(
    private readonly bytesMax: number,
    private readonly checkMs: number,
  ) {}

  count(incoming: IncomingMessage, sender: string, cutOff: () => void): () => void {
    const body = { incoming, sender, cutOff, bytes: 0, checkedBytes: 0 };
    const take = ({ byteLength }: Uint8Array): void => {
      this.#add(body, byteLength);
      if (this.#total <= this.bytesMax) this.#resumeNext();
      else if (this.#mustWait(body)) {
        this.#waiting.add(body);
        incoming.pause();
        this.#checkSoon();
      }
    };
    this.#bodies.add(body);
    incoming.on('data', take);
    return () => {
      incoming.off('data', take);
      this.#bodies.delete(body);
      this.#waiting.delete(body);
      this.#add(body, -body.bytes);
      this.#resumeNext();
    };
  }

  #add(body: LargeBody, bytes: number): void {
    body.bytes += bytes;
    this.#total += bytes;
    const ofSender = (this.#bytesOf.get(body.sender) ?? 0) + bytes;
    if (ofSender > 0) this.#bytesOf.set(body.sender, ofSender);
    else this.#bytesOf.delete(body.sender);
  }

  #mustWait(body: LargeBody): boolean {
    const [oldest] = this.#bodies;
    const share = this.bytesMax / this.#bytesOf.size;
    return body !== oldest && !body.incoming.complete && (this.#bytesOf.get(body.sender) ?? 0) > share;
  }

  #resumeNext(): void {
    for (const body of this.#waiting) {
      if (this.#total > this.bytesMax && this.#mustWait(body)) continue;
      this.#waiting.delete(body);
      body.incoming.resume();
      return;
    }
  }

  #checkSoon(): void {
    this.#nextCheck ??= setTimeout(() => {
      this.#nextCheck = undefined;
      if (this.#waiting.size > 0) this.#checkSoon();
      const [oldest] = this.#bodies;
      for (const body of this.#bodies) {
        const isStalled = body.bytes - body.checkedBytes < STALLED_BYTES && !body.incoming.complete;
        body.checkedBytes = body.bytes;
        if (!isStalled || this.#total <= this.bytesMax || this.#waiting.has(body)) continue;
        if (body === oldest || this.#mustWait(body)) body.cutOff();
      }
      this.#resumeNext();
    }, this.checkMs).unref();
  }
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
