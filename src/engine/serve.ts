import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { PartnerError } from '../contract/errors.ts';
import type { PlainResponse } from '../contract/http-messages.ts';
import { HEALTH_PATH, PREFIX, READY_PATH } from './app.ts';
import { errorResponse } from './http/mount.ts';
import { findSender } from './http/request-origin.ts';
import type { LabOptions } from './lab/decisions.ts';
import { createLab, type Sleep } from './lab/lab.ts';
import type { Engine } from './open.ts';
import type { RequestOrigin } from './parts.ts';
import {
  Connection,
  findRequestFault,
  leastNeeded,
  refuseUnservable,
  toPlainRequest,
} from './server/connection.ts';
import { isLarge, LargeBodies, Turns, UnsentAnswers } from './server/limits.ts';
import listenErrors from './server/listen-errors.json' with { type: 'json' };
import { type Observer, observeRequest } from './server/observer.ts';
import type { ClientFinder } from './server/proxies.ts';

export interface ServeOptions {
  readonly engine: Pick<Engine, 'fetch'>;
  readonly host: string;
  readonly port: number;
  readonly times?: Partial<ServeTimes>;
  readonly connectionsMax?: number;
  readonly observers?: readonly Observer[];
  /** Finds the client behind a trusted proxy. If this isn't set, the connected peer is the client. */
  readonly findClient?: ClientFinder | undefined;
  readonly lab?: LabOptions | undefined;
  readonly sleep?: Sleep;
}

export type Served = Awaited<ReturnType<typeof serveEngine>>;

const TIMES = {
  headersMs: 15_000,
  requestMs: 60_000,
  idleMs: 10_000,
  unreadMs: 30_000,
  /** Interval between checks for stalled bodies. A body that stalled since the last check is cut off. */
  largeBodyMs: 120,
  lingerMs: 2_000,
  /** Time for the first request on a connection that was accepted just before shutdown. */
  firstRequestMs: 500,
  drainMs: 10_000,
};
export type ServeTimes = typeof TIMES;

const LARGE_BODY_BYTES_MAX = 8 * 1024 * 1024;
/** Limits the memory of concurrent list requests. */
const LISTS_AT_ONCE_MAX = 4;
const CONNECTIONS_MAX = 2_000;

/** Serves the engine over HTTP. Throws USAGE if it can't listen on the address. */
export async function serveEngine(options: ServeOptions) {
  const { engine, host, port } = options;
  const times = { ...TIMES, ...options.times };
  const lab = options.lab && createLab(engine.fetch, options.lab, options.sleep);
  const server = createServer({
    headersTimeout: times.headersMs,
    requestTimeout: times.requestMs,
    connectionsCheckingInterval: Math.min(times.headersMs, 5_000),
    keepAliveTimeout: times.idleMs,
    // Node's error response wouldn't use the envelope.
    requireHostHeader: false,
    // Otherwise, Node would use the first of two keys, but a proxy might check the second.
    joinDuplicateHeaders: true,
  });
  // A client that has sent everything and half-closed still waits for its responses.
  Object.assign(server, { httpAllowHalfOpen: true });
  const connections = trackConnections(server, times, options.connectionsMax ?? CONNECTIONS_MAX);
  const stop = { hasBegun: false };
  const destroyed = new AbortController();
  const answer = createAnswerer(options, times, lab, stop);
  const receive = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const connection = connections.get(incoming.socket);
    connection?.answerInTurn(incoming, outgoing, async () => {
      const fault = findRequestFault(incoming);
      if (fault !== undefined) return connection.refuse(new PartnerError('BAD_REQUEST', { message: fault }));
      await answer(incoming, outgoing, connection);
    });
  };
  server.on('request', receive);
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // Sends `100 Continue` only when the body is read, which is after the key and the length are accepted.
    incoming.once('resume', () => {
      if (!outgoing.headersSent) outgoing.writeContinue();
    });
    receive(incoming, outgoing);
  });
  refuseUnservable(server, connections);
  const { origin, port: bound } = await listen(server, host, port, '--port');
  return {
    url: `${origin}${PREFIX}`,
    port: bound,
    connections: () => connections.size,
    injected: () => lab?.injected(),
    /** Fails `/readyz` for `delayMs`, so that load balancers stop sending requests. Then waits for open requests. */
    async close({ delayMs = 0 } = {}): Promise<void> {
      stop.hasBegun = true;
      if (delayMs > 0) await pause(delayMs, undefined, { signal: destroyed.signal }).catch(() => {});
      await drain(server, connections, times);
    },
    destroy(): void {
      destroyed.abort();
      server.close();
      server.closeAllConnections();
    },
  };
}

function createAnswerer(
  { engine: { fetch }, observers = [], findClient }: ServeOptions,
  { largeBodyMs }: ServeTimes,
  lab: ReturnType<typeof createLab> | undefined,
  stop: { readonly hasBegun: boolean },
) {
  const lists = new Turns(LISTS_AT_ONCE_MAX);
  const unsent = new UnsentAnswers();
  const ofCompanies = new LargeBodies(LARGE_BODY_BYTES_MAX, largeBodyMs);
  const ofAnybody = new LargeBodies(LARGE_BODY_BYTES_MAX, largeBodyMs);
  return async (incoming: IncomingMessage, outgoing: ServerResponse, connection: Connection) => {
    const client = findClient?.(connection.origin.remoteAddress, incoming.headers);
    const origin = client?.isProxied
      ? { localAddress: undefined, remoteAddress: client.remoteAddress }
      : connection.origin;
    if (client?.isProxied) connection.sender = findSender(client);
    const observed =
      observers.length > 0 ? observeRequest(observers, incoming, outgoing, origin.remoteAddress) : undefined;
    const facts = observed ?? (isLarge(incoming) ? {} : undefined);
    const from: RequestOrigin = facts === undefined ? origin : { ...origin, facts };
    const work = async (): Promise<PlainResponse | undefined> => {
      if (stop.hasBegun && incoming.url === READY_PATH) return errorResponse(STOPPING);
      const request = toPlainRequest(incoming, client);
      return lab === undefined ? fetch(request, from) : lab.answer(request, outgoing, from);
    };
    // Not limited: labs (slow on purpose), probes (must not wait for the database) and single jobs (small).
    const isList = incoming.method === 'GET' && lab === undefined && !UNLIMITED.test(incoming.url ?? '');
    // A body is read only after its key is accepted. Data read after the response is discarded.
    if (isLarge(incoming))
      incoming.once('resume', () => {
        if (outgoing.headersSent || incoming.destroyed) return;
        const { facts: { companyId } = {} } = from;
        const bodies = companyId === undefined ? ofAnybody : ofCompanies;
        const end = bodies.count(incoming, companyId ?? findSender(from) ?? '', () => {
          connection.refuse(new PartnerError('REQUEST_TIMEOUT'));
          incoming.destroy();
        });
        incoming.once('close', end);
      });
    // A variable for the promise would keep the response in memory while it's sent.
    await (isList ? lists.run(connection.sender ?? '', work) : work())
      .catch(answerUnreadable)
      .then((response) => {
        if (response === undefined || connection.isOver) return undefined;
        // Closing skips the rest of the body. A stopping server closes too, so that proxies don't reuse the connection.
        if ((!incoming.complete || stop.hasBegun) && !outgoing.headersSent)
          outgoing.setHeader('Connection', 'close');
        return connection.send(outgoing, response, unsent);
      });
    incoming.resume();
  };
}

const UNLIMITED = new RegExp(`^(?:${HEALTH_PATH}|${READY_PATH}|${PREFIX}/jobs/\\d+)$`);
const STOPPING = new PartnerError('UNAVAILABLE', { message: 'the server is stopping' });

function answerUnreadable(error: unknown): PlainResponse {
  if (error instanceof PartnerError && error.code === 'VALIDATION_FAILED') return errorResponse(error);
  throw error;
}

function trackConnections(server: Server, { lingerMs, unreadMs }: ServeTimes, most: number) {
  const open = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    const onAnswered = (connection: Connection) => {
      if (!server.listening && connection.isIdle) connection.close();
    };
    const newest = new Connection(socket, lingerMs, onAnswered);
    open.set(socket, newest);
    socket.once('close', () => open.delete(socket));
    if (open.size > most) leastNeeded([...open], newest)?.destroy();
  });
  server.setTimeout(unreadMs, (socket: Socket) => {
    if (socket.writableLength > 0 || open.get(socket)?.isIdle) socket.destroy();
  });
  return open;
}

/** Throws USAGE if it can't listen on the address. `flag` is the port's flag for the hint. */
export async function listen(server: Server, host: string, port: number, flag: string) {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, `${host}:${port}`, flag)));
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return { origin: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`, port: bound };
}

function cannotListen(error: NodeJS.ErrnoException, address: string, flag: string): PartnerError {
  const known = listenErrors.find(({ code }) => code === error.code);
  return new PartnerError('USAGE', {
    message: `can't listen on ${address}: ${known?.reason ?? error.message}`,
    hint: (known?.hint ?? 'pass another FLAG, or FLAG 0 for a free port').replaceAll('FLAG', flag),
    cause: error,
  });
}

/** Node's own shutdown waits for connections that browsers opened in advance and haven't used yet. */
function drain(server: Server, connections: ReadonlyMap<Duplex, Connection>, times: ServeTimes) {
  let accepted = 0;
  server.on('connection', () => accepted++);
  // Waits for a turn of the event loop that accepts no connection, because closing resets those that are still queued.
  const closed = new Promise<void>((resolve) => {
    const closeUnlessMore = (than: number): void => {
      if (accepted > than && accepted < CONNECTIONS_MAX) setImmediate(closeUnlessMore, accepted);
      else server.close(() => resolve());
    };
    setImmediate(closeUnlessMore, -1);
  });
  const closeIdle = (isNew: boolean) => {
    for (const connection of connections.values())
      if (connection.isIdle && connection.isNew === isNew) connection.close();
  };
  closeIdle(false);
  setTimeout(closeIdle, times.firstRequestMs, true).unref();
  const deadline = setTimeout(() => server.closeAllConnections(), times.drainMs);
  return closed.finally(() => clearTimeout(deadline));
}
