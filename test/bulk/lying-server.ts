import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { drawsOf } from '../../src/engine/lab/draws.ts';
import type { Engine } from '../../src/engine/open.ts';

/** How a broken proxy or server lies. */
type Lie = keyof typeof LIES;

export interface LyingServerOptions {
  readonly engine: Pick<Engine, 'fetch'>;
  readonly seed: number;
  /** The share of requests, 0 to 1, for which a kind is drawn; one that does not fit a request leaves it the truth. */
  readonly lieRate: number;
  /** Without it, all of them. */
  readonly kinds?: readonly Lie[];
}

export interface LyingServer {
  /** The base URL, version segment included. */
  readonly url: string;
  /** How often each lie was told. */
  readonly log: { readonly lies: Readonly<Record<Lie, number>> };
  /** Ends every connection; done when the engine is no longer asked anything. */
  close(): Promise<void>;
}

/** What is sent, and how its connection ends where it does not stay open. */
interface Answer {
  readonly status: number;
  /** A name may stand twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  readonly isAfter102?: boolean;
  readonly ends?: 'after-it' | 'in-its-middle';
}

interface Memory {
  /** The first answer of each address that was read. */
  readonly reads: Map<string, Answer>;
  /** The addresses of jobs that were said not to be there. */
  readonly denied: Set<string>;
}

/** Either in place of the engine's answer, which is then not asked, or of it: undefined where that would be true. */
type Liar =
  | { readonly instead: Answer }
  | { readonly of: (truth: Answer, request: Request, memory: Memory) => Answer | undefined };

const LIES = {
  /** A cache gives what was true when the address was first read. */
  'stale-read': {
    of: (truth, { url }, { reads }) => {
      const first = reads.get(url);
      return first?.body.equals(truth.body) ? undefined : first;
    },
  },
  /** A job that is there is not found, without the envelope, once. */
  'missing-once': {
    of: ({ status }, { method, url }, { denied }) => {
      const isJob = method === 'GET' && status === 200 && /\/jobs\/\d+$/.test(url);
      if (!isJob || denied.has(url)) return undefined;
      denied.add(url);
      return plain(404, 'Not Found\n');
    },
  },
  'login-page': { instead: page('<!doctype html><title>Log in</title><form>Who are you?</form>\n') },
  /** No body and no Location: the id of what was made is lost. */
  'created-empty': { of: (truth) => (truth.status === 201 ? { ...truth, ...NOTHING } : undefined) },
  'no-content': { of: ofWrites((truth) => ({ ...truth, ...NOTHING, status: 204 })) },
  accepted: {
    of: ofWrites(() => ({ ...plain(202, '{}'), headers: [['Content-Type', 'application/json']] })),
  },
  'header-twice': {
    of: (truth) => {
      const twice = truth.headers.find(isIdempotencyStatus) ?? truth.headers[0];
      return twice && { ...truth, headers: [...truth.headers, twice] };
    },
  },
  'odd-case': {
    of: (truth) => {
      const status = truth.headers.find(isIdempotencyStatus);
      if (status === undefined) return undefined;
      const others = truth.headers.filter((header) => header !== status);
      return { ...truth, headers: [...others, ['iDEMPOTENCY-sTATUS', status[1].toUpperCase()]] };
    },
  },
  'retry-after-negative': { instead: turnedAway('-1') },
  'retry-after-past': { instead: turnedAway('Wed, 21 Oct 2015 07:28:00 GMT') },
  'retry-after-zero': { instead: turnedAway('0') },
  /** The truth, on a connection that was said to stay open. */
  'close-after': { of: (truth) => ({ ...truth, ends: 'after-it' }) },
  'broken-chunks': { of: (truth) => ({ ...truth, ends: 'in-its-middle' }) },
  'no-gzip': { of: (truth) => ({ ...truth, headers: [...truth.headers, ['Content-Encoding', 'gzip']] }) },
  'informational-first': { of: (truth) => ({ ...truth, isAfter102: true }) },
} satisfies Readonly<Record<string, Liar>>;

const LIARS: Readonly<Record<Lie, Liar>> = LIES;

const ALL = Object.keys(LIARS) as Lie[];

/**
 * The engine behind loopback, with something before it that lies, by a seed and in the order of arrival. What
 * the engine is asked it does once and truly: the lie is in what is told of it.
 */
export async function startLyingServer(options: LyingServerOptions): Promise<LyingServer> {
  const { engine, seed, lieRate, kinds = ALL } = options;
  const lies = Object.fromEntries(ALL.map((lie) => [lie, 0])) as Record<Lie, number>;
  const memory: Memory = { reads: new Map(), denied: new Set() };
  const underWay = new Set<Promise<void>>();
  let arrived = 0;

  async function answerTo(request: Request, n: number): Promise<Answer> {
    const draw = drawsOf(seed, n);
    const lie = draw() < lieRate ? kinds[Math.floor(draw() * kinds.length)] : undefined;
    const liar = lie && LIARS[lie];
    const asked = liar && 'instead' in liar ? undefined : await answerOf(engine, request);
    const lied = liar && ('instead' in liar ? liar.instead : asked && liar.of(asked, request, memory));
    if (request.method === 'GET' && asked?.status === 200 && !memory.reads.has(request.url)) {
      memory.reads.set(request.url, asked);
    }
    if (lie !== undefined && lied !== undefined) lies[lie]++;
    return lied ?? (asked as Answer);
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const n = arrived++;
    const request = await requestOf(incoming).catch(() => undefined);
    if (request === undefined) return void outgoing.destroy();
    const answer = await answerTo(request, n);
    if (!outgoing.destroyed) send(answer, outgoing);
  }

  const server = createServer((incoming, outgoing) => {
    const served = serve(incoming, outgoing).finally(() => underWay.delete(served));
    underWay.add(served);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    log: { lies },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await Promise.all([closed, ...underWay]);
    },
  };
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { method = 'GET', url = '/' } = incoming;
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const body = chunks.length === 0 ? null : Buffer.concat(chunks);
  return new Request(new URL(url, 'http://lying.test'), { method, headers, body });
}

async function answerOf(engine: Pick<Engine, 'fetch'>, request: Request): Promise<Answer> {
  const answer = await engine.fetch(request);
  return {
    status: answer.status,
    headers: [...answer.headers],
    body: Buffer.from(await answer.arrayBuffer()),
  };
}

function send({ status, headers, body, isAfter102, ends }: Answer, outgoing: ServerResponse): void {
  if (isAfter102) outgoing.writeProcessing();
  const length =
    ends === 'in-its-middle' || status === 204 ? [] : ['Content-Length', String(body.byteLength)];
  outgoing.writeHead(status, [...headers.flat(), ...length]);
  if (ends === 'in-its-middle') {
    outgoing.write(body.subarray(0, Math.floor(body.byteLength / 2)), () => outgoing.destroy());
  } else {
    const { socket } = outgoing;
    outgoing.end(body, () => ends === 'after-it' && socket?.destroySoon());
  }
}

const NOTHING = { headers: [], body: Buffer.alloc(0) } as const;

function plain(status: number, text: string): Answer {
  return { status, headers: [['Content-Type', 'text/plain']], body: Buffer.from(text) };
}

function page(html: string): Answer {
  return { status: 200, headers: [['Content-Type', 'text/html']], body: Buffer.from(html) };
}

/** A 429 before the work, which names no time to come. */
function turnedAway(retryAfter: string): Answer {
  const { headers, ...answer } = plain(429, 'Too Many Requests\n');
  return { ...answer, headers: [...headers, ['Retry-After', retryAfter]] };
}

/** A lie about what was written; refusals and reads are told as they are. */
function ofWrites(lied: (truth: Answer) => Answer) {
  return (truth: Answer, { method }: Request): Answer | undefined =>
    method === 'GET' || truth.status >= 300 ? undefined : lied(truth);
}

function isIdempotencyStatus([name]: readonly [string, string]): boolean {
  return name.toLowerCase() === 'idempotency-status';
}
