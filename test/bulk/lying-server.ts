import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDraw } from '../../src/engine/lab/draws.ts';
import type { Engine } from '../../src/engine/open.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const answer = (status: number, type: string, body: string, headers = {}): Answer => ({
  status,
  headers: { 'content-type': type, ...headers },
  body: Buffer.from(body),
});
const empty = (status: number): Answer => ({ status, headers: {}, body: Buffer.alloc(0) });
const turnedAway = (retryAfter: string) =>
  answer(429, 'text/plain', 'Too Many Requests\n', { 'retry-after': retryAfter });

/** Responses that replace the engine's. The engine doesn't get the request. */
const INSTEAD: readonly Answer[] = [
  answer(200, 'text/html', '<!doctype html><title>Log in</title><form>Who are you?</form>\n'),
  ...['-1', '0', 'Wed, 21 Oct 2015 07:28:00 GMT'].map(turnedAway),
];

interface Truth extends Answer {
  readonly method: string;
  readonly url: string;
  readonly first: Answer | undefined;
  /** Returns true the first time that this job is reported as missing. */
  deny(): boolean;
}

const isDone = ({ method, status }: Truth): boolean => method !== 'GET' && status < 300;

/** False responses to requests that the engine has processed. Undefined if the lie isn't possible for the response. */
const LIES: readonly ((truth: Truth) => Answer | undefined)[] = [
  (truth) => truth.first,
  (truth) =>
    truth.method === 'GET' && truth.status === 200 && /\/jobs\/\d+$/.test(truth.url) && truth.deny()
      ? answer(404, 'text/plain', 'Not Found\n')
      : undefined,
  (truth) => (truth.status === 201 ? empty(201) : undefined),
  (truth) => (isDone(truth) ? empty(204) : undefined),
  (truth) => (isDone(truth) ? answer(202, 'application/json', '{}') : undefined),
  (truth) => ({ ...truth, headers: { ...truth.headers, 'content-encoding': 'gzip' } }),
];

/** Serves the engine over HTTP, and replaces a share of the responses with false ones. Depends on a seed. */
export async function startLyingServer({
  engine,
  seed,
  lieRate,
}: {
  engine: Pick<Engine, 'fetch'>;
  seed: number;
  lieRate: number;
}) {
  const reads = new Map<string, Answer>();
  const denied = new Set<string>();
  const underWay = new Set<Promise<void>>();
  let arrived = 0;
  let lies = 0;

  async function truthOf(incoming: IncomingMessage): Promise<Truth> {
    const { method = 'GET', url = '/' } = incoming;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = chunks.length === 0 ? null : Buffer.concat(chunks);
    const headers = incoming.headers as Record<string, string>;
    const told = await engine.fetch(
      new Request(new URL(url, 'http://lying.test'), { method, headers, body }),
    );
    const { status } = told;
    const truth = { status, headers: Object.fromEntries(told.headers), body: Buffer.from(await told.text()) };
    const first = reads.get(url);
    if (method === 'GET' && status === 200 && first === undefined) reads.set(url, truth);
    const deny = () => !denied.has(url) && denied.add(url).size > 0;
    return { ...truth, method, url, first, deny };
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const draw = createDraw(seed, arrived++);
    const index = draw() < lieRate ? Math.floor(draw() * (INSTEAD.length + LIES.length)) : undefined;
    const instead = index === undefined ? undefined : INSTEAD[index];
    const truth = instead === undefined ? await truthOf(incoming) : undefined;
    const lie = index === undefined ? undefined : LIES[index - INSTEAD.length];
    const lied = instead ?? (truth && lie?.(truth));
    if (lied !== undefined) lies++;
    const { status, headers, body } = lied ?? (truth as Truth);
    if (outgoing.destroyed) return;
    outgoing.writeHead(status, { ...headers, ...(status === 204 ? {} : { 'content-length': body.length }) });
    outgoing.end(body);
  }

  const server = createServer((incoming, outgoing) => {
    const served = serve(incoming, outgoing)
      .catch(() => void outgoing.destroy())
      .finally(() => underWay.delete(served));
    underWay.add(served);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** Number of false responses so far. */
    lies: () => lies,
    /** Closes all connections. Resolves when the engine has no more requests. */
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await Promise.all([closed, ...underWay]);
    },
  };
}
