import { setTimeout as pause } from 'node:timers/promises';
import { Client, type Dispatcher } from 'undici';
import type { Fleet, ServedProcess } from './fleet.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Dispatcher.ResponseData['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: the test says what it expects to find
  readonly body: any;
  /** An earlier try may have been carried out even if the client got no response to it. */
  readonly tries: number;
}

interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Session of the dashboard. The cookie's name contains the port of the process that receives the request. */
  readonly session?: string;
}

export class Tally {
  readonly startedAt = performance.now();
  requests = 0;
  acknowledged = 0;
  readonly counts = new Map<string, number>();
  readonly anomalies: string[] = [];
  isOver = false;
  #answeredAt = performance.now();
  #outageMs = 0;

  answered(): void {
    this.#outageMs = Math.max(this.#outageMs, performance.now() - this.#answeredAt);
    this.#answeredAt = performance.now();
  }

  /** Longest time (ms) without any response except 503 since the last call. */
  takeOutage(): number {
    const outageMs = Math.max(this.#outageMs, performance.now() - this.#answeredAt);
    this.#outageMs = 0;
    return Math.round(outageMs);
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  wrong(text: string): void {
    this.anomalies.push(`at ${((performance.now() - this.startedAt) / 1_000).toFixed(2)} s: ${text}`);
  }
}

const PATIENCE_MS = 120_000;
const PAUSE_MS = 50;

export class ClusterClient {
  #process: ServedProcess | undefined;
  #connection: Client | undefined;

  constructor(
    readonly fleet: Pick<Fleet, 'any'>,
    readonly tally: Tally,
  ) {}

  /** Retries on other processes until there is a response, so only for requests that are safe to repeat. */
  async until(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const startedAt = performance.now();
    for (let tries = 1; ; tries++) {
      const answer = await this.once(method, path, sent);
      if (answer !== undefined) return { ...answer, tries };
      if (performance.now() - startedAt > PATIENCE_MS) throw new Error(`${method} ${path}: no answer`);
      await pause(PAUSE_MS);
      if (tries % 3 === 0) await this.close();
    }
  }

  /** Returns undefined if it's unknown whether the request was carried out. */
  async once(method: string, path: string, { headers, body, session }: Sent = {}) {
    const { process, connection } = await this.#connected();
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const cookie = `partner_session_${new URL(process.origin).port}=${session}`;
    this.tally.requests++;
    try {
      const answered = await connection.request({
        method: method as Dispatcher.HttpMethod,
        path,
        headers: { ...(isRaw ? {} : { 'content-type': 'application/json' }), cookie, ...headers },
        body: body === undefined || isRaw ? (body ?? null) : JSON.stringify(body),
      });
      const text = await answered.body.text();
      const { statusCode: status, headers: told } = answered;
      if (status < 500) {
        this.tally.answered();
        const isJson = String(told['content-type']).startsWith('application/json');
        return { status, text, headers: told, body: isJson ? JSON.parse(text) : undefined, tries: 1 };
      }
      this.tally.count(`answered ${status}`);
      const isAsPromised = status === 503 && /^\d+$/.test(String(told['retry-after']));
      if (!isAsPromised) this.tally.wrong(`${method} ${path} was answered ${status}: ${text.slice(0, 500)}`);
    } catch (error) {
      const code = String((error as NodeJS.ErrnoException).code ?? error);
      this.tally.count(`dropped: ${code}`);
      if (!process.isKilled) this.tally.wrong(`${method} ${path}: ${code} from a process that nobody killed`);
      await this.close();
    }
    return undefined;
  }

  async close(): Promise<void> {
    const before = this.#connection;
    this.#connection = undefined;
    await before?.destroy();
  }

  async #connected(): Promise<{ process: ServedProcess; connection: Client }> {
    if (this.#process === undefined || this.#connection === undefined) {
      this.#process = await this.fleet.any(this.#process);
      const times = { headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS };
      this.#connection = new Client(this.#process.origin, times);
    }
    return { process: this.#process, connection: this.#connection };
  }
}
