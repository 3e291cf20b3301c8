import { setTimeout as pause } from 'node:timers/promises';
import { Client, type Dispatcher } from 'undici';
import type { Fleet, ServedProcess } from './fleet.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the test says what it expects to find
  readonly body: any;
  /** How often it was sent; what came before the last time may have been done all the same. */
  readonly tries: number;
}

interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Of the dashboard: the cookie's name has the port of the process that is asked. */
  readonly session?: string;
}

/** What all clients of a run have seen. */
export class Tally {
  readonly startedAt = performance.now();
  requests = 0;
  acknowledged = 0;
  longestOutageMs = 0;
  /** How long a client went without an answer though the database was back. */
  longestHealingMs = 0;
  databaseBackAt = 0;
  readonly counts = new Map<string, number>();
  /** What must not happen. */
  readonly anomalies: string[] = [];
  isOver = false;

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  wrong(text: string): void {
    const seconds = ((performance.now() - this.startedAt) / 1_000).toFixed(2);
    if (this.anomalies.length < 200) this.anomalies.push(`at ${seconds} s: ${text}`);
  }
}

/** Nobody waits longer for a definite answer. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 50;

/** One connection at a time, to one process until that is gone. */
export class ClusterClient {
  readonly #fleet: Fleet;
  readonly #tally: Tally;
  #process: ServedProcess | undefined;
  #connection: Client | undefined;
  #failingSince: number | undefined;

  constructor(fleet: Fleet, tally: Tally) {
    this.#fleet = fleet;
    this.#tally = tally;
  }

  get origin(): string {
    return this.#process?.origin ?? '';
  }

  /** The answer, or undefined where it is not known what became of the call. */
  async once(method: string, path: string, sent: Sent = {}): Promise<Omit<Answer, 'tries'> | undefined> {
    const connection = await this.#connect();
    const process = this.#process;
    const { headers, body, session } = sent;
    const port = new URL(process?.origin ?? '').port;
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    this.#tally.requests++;
    try {
      const answered = await connection.request({
        method: method as Dispatcher.HttpMethod,
        path,
        headers: {
          ...(isRaw ? {} : { 'content-type': 'application/json' }),
          ...(session === undefined ? {} : { cookie: `partner_session_${port}=${session}` }),
          ...headers,
        },
        body: body === undefined || isRaw ? (body ?? null) : JSON.stringify(body),
      });
      const text = await answered.body.text();
      const { statusCode: status } = answered;
      const isJson = String(answered.headers['content-type']).startsWith('application/json');
      if (status >= 500) return this.#unavailable(`${method} ${path}`, answered, text);
      this.#succeeded();
      return { status, headers: answered.headers, text, body: isJson ? JSON.parse(text) : undefined };
    } catch (error) {
      const code = String((error as NodeJS.ErrnoException).code ?? error);
      this.#tally.count(`dropped: ${code}`);
      if (!process?.isKilled)
        this.#tally.wrong(`${method} ${path}: ${code} from a process that nobody killed`);
      await this.close();
      this.#failed();
      return undefined;
    }
  }

  /** The answer of a call that may be repeated, as often as it takes, and to other processes. */
  async until(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const startedAt = performance.now();
    for (let tries = 1; ; tries++) {
      const answer = await this.once(method, path, sent);
      if (answer !== undefined) return { ...answer, tries };
      const waitedMs = performance.now() - startedAt;
      if (waitedMs > PATIENCE_MS) throw new Error(`${method} ${path}: no answer in ${PATIENCE_MS} ms`);
      await pause(PAUSE_MS);
      if (tries % 3 === 0) await this.close();
    }
  }

  async close(): Promise<void> {
    const before = this.#connection;
    this.#connection = undefined;
    await before?.destroy();
  }

  async #connect(): Promise<Client> {
    if (this.#connection !== undefined) return this.#connection;
    this.#process = await this.#fleet.any(this.#process);
    this.#connection = new Client(this.#process.origin, {
      headersTimeout: PATIENCE_MS,
      bodyTimeout: PATIENCE_MS,
    });
    return this.#connection;
  }

  #unavailable(call: string, { statusCode, headers }: Dispatcher.ResponseData, text: string): undefined {
    this.#tally.count(`${statusCode}`);
    const isAsPromised = statusCode === 503 && /^\d+$/.test(String(headers['retry-after']));
    if (!isAsPromised) this.#tally.wrong(`${call} was answered ${statusCode}: ${text.slice(0, 500)}`);
    this.#failed();
  }

  #failed(): void {
    this.#failingSince ??= performance.now();
  }

  #succeeded(): void {
    if (this.#failingSince === undefined) return;
    const now = performance.now();
    const { databaseBackAt, longestOutageMs, longestHealingMs } = this.#tally;
    const healingMs = this.#failingSince < databaseBackAt ? now - databaseBackAt : 0;
    this.#tally.longestOutageMs = Math.max(longestOutageMs, now - this.#failingSince);
    this.#tally.longestHealingMs = Math.max(longestHealingMs, healingMs);
    this.#failingSince = undefined;
  }
}
