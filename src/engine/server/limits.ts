import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** After a read this long, the next one waits for the event loop, so that sockets and timers run first. */
const LONG_MS = 5;

/** Runs at most `most` reads at once. Senders take turns, so that one with many reads doesn't delay other senders. */
export class Turns {
  readonly #waiting = new Map<string, (() => void)[]>();
  #taken = 0;

  constructor(
    private readonly most: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  async run<T>(sender: string, work: () => Promise<T>): Promise<T> {
    if (this.#taken < this.most) this.#taken++;
    else await new Promise<void>((begin) => this.#queue(sender).push(begin));
    const startedAt = this.now();
    try {
      return await work();
    } finally {
      if (this.now() - startedAt < LONG_MS) this.#endTurn();
      else setImmediate(() => this.#endTurn());
    }
  }

  #queue(sender: string): (() => void)[] {
    const queue = this.#waiting.get(sender) ?? [];
    this.#waiting.set(sender, queue);
    return queue;
  }

  #endTurn(): void {
    const [sender, queue] = this.#waiting.entries().next().value ?? ['', []];
    const next = queue.shift();
    this.#waiting.delete(sender);
    if (queue.length > 0) this.#waiting.set(sender, queue);
    if (next === undefined) this.#taken--;
    else next();
  }
}

const SMALL_BYTES = 16 * 1024;
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
 * Limits the memory of large bodies by the bytes received. Above `bytesMax`, bodies of senders with more than an equal
 * share are paused, except for one exempt body. A stalled body of such a sender is cut off.
 */
export class LargeBodies {
  readonly #bodies = new Set<LargeBody>();
  readonly #waiting = new Set<LargeBody>();
  readonly #bytesOf = new Map<string, number>();
  #total = 0;
  /** The one body that can exceed its sender's share, because a file can be larger than the share. */
  #exempt: LargeBody | undefined;
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
      if (this.#exempt === body) this.#exempt = undefined;
      this.#add(body, -body.bytes);
      this.#resumeNext();
    };
  }

  #add(body: LargeBody, bytes: number): void {
    body.bytes += bytes;
    this.#total += bytes;
    const ofSender = this.#countSent(body) + bytes;
    if (ofSender > 0) this.#bytesOf.set(body.sender, ofSender);
    else this.#bytesOf.delete(body.sender);
  }

  #countSent(body: LargeBody): number {
    return this.#bytesOf.get(body.sender) ?? 0;
  }

  /** If no body is exempt, this one becomes exempt until it ends. */
  #mustWait(body: LargeBody): boolean {
    if (body.incoming.complete || this.#countSent(body) <= this.bytesMax / this.#bytesOf.size) return false;
    this.#exempt ??= body;
    return body !== this.#exempt;
  }

  /** Resumes the sender with the fewest bytes first, so that one sender's stalled bodies don't block another sender. */
  #resumeNext(): void {
    const bySender = [...this.#waiting].sort((one, other) => this.#countSent(one) - this.#countSent(other));
    const next = bySender.find((body) => this.#total <= this.bytesMax || !this.#mustWait(body));
    if (next === undefined) return;
    this.#waiting.delete(next);
    next.incoming.resume();
  }

  #checkSoon(): void {
    this.#nextCheck ??= setTimeout(() => {
      this.#nextCheck = undefined;
      if (this.#waiting.size > 0) this.#checkSoon();
      for (const body of this.#bodies) {
        const isStalled = body.bytes - body.checkedBytes < STALLED_BYTES && !body.incoming.complete;
        body.checkedBytes = body.bytes;
        if (!isStalled || this.#total <= this.bytesMax || this.#waiting.has(body)) continue;
        if (body === this.#exempt || this.#mustWait(body)) body.cutOff();
      }
      this.#resumeNext();
    }, this.checkMs).unref();
  }
}

/** Above this many unsent bytes, clients that have read nothing for `PATIENT_MS` are disconnected. */
const PATIENT_BYTES_MAX = 12 * 1024 * 1024;
const PATIENT_MS = 250;
/** Above this many unsent bytes, clients are disconnected at once, starting with the least recent reader. */
const BYTES_MAX = 24 * 1024 * 1024;

export class UnsentAnswers {
  readonly #unsent = new Map<Duplex, { readonly bytes: number; readonly lastReadAt: number }>();
  #total = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

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
