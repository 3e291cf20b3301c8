import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { PartnerError } from '../contract/errors.ts';
import { HEALTH_PATH, PREFIX, READY_PATH } from './app.ts';
import { errorResponse } from './http/mount.ts';
import { senderOf } from './http/request-origin.ts';
import type { LabOptions } from './lab/decisions.ts';
import { createLab, type Sleep } from './lab/lab.ts';
import type { Engine } from './open.ts';
import type { RequestOrigin } from './parts.ts';
import { Connection, faultOf, leastNeeded, refuseUnservable } from './server/connection.ts';
import { isLarge, LargeBodies, Turns, UnsentAnswers } from './server/limits.ts';
import { type Observer, observed } from './server/observer.ts';
import type { ClientOf } from './server/proxies.ts';
import { requestOf } from './server/request.ts';

export interface ServeOptions {
  readonly engine: Pick<Engine, 'fetch'>;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly times?: Partial<ServeTimes>;
  readonly connectionsMax?: number;
  readonly observers?: readonly Observer[];
  /** Says who sent a request that a proxy passed on; where it is left out, it is who is connected. */
  readonly clientOf?: ClientOf | undefined;
  /** Puts a bad network before the engine. */
  readonly lab?: LabOptions | undefined;
  readonly sleep?: Sleep;
}

export type Served = Awaited<ReturnType<typeof serveEngine>>;

/** How long clients may take, in ms. */
const TIMES = {
  /** For a request's header, and for a whole request. */
  headersMs: 15_000,
  requestMs: 60_000,
  idleMs: 10_000,
  /** Without reading anything of an answer. */
  unreadMs: 30_000,
  /** Interval of the check for stalled bodies while large ones wait. It ends bodies that stalled since the last check. */
  largeBodyMs: 120,
  /** To go on sending after the last answer. */
  lingerMs: 2_000,
  /** On a connection that was accepted just before the end: its request may be on the way. */
  firstRequestMs: 500,
  /** How long `close` waits for requests in flight. */
  drainMs: 10_000,
};
export type ServeTimes = typeof TIMES;

const LARGE_BODY_BYTES_MAX = 8 * 1024 * 1024;
/** Lists that are made at one time are in memory together; writes share their commits, and have small answers. */
const READ_AT_ONCE_MAX = 4;
const CONNECTIONS_MAX = 2_000;

/** Puts the engine behind a socket. Throws USAGE where the address cannot be listened on. */
export async function serveEngine(options: ServeOptions) {
  const { engine, host, port } = options;
  const times = { ...TIMES, ...options.times };
  const lab = options.lab && createLab(engine.fetch, options.lab, options.sleep);
  const server = createServer({
    headersTimeout: times.headersMs,
    requestTimeout: times.requestMs,
    connectionsCheckingInterval: Math.min(times.headersMs, 5_000),
    keepAliveTimeout: times.idleMs,
    // Its refusal would not be in the envelope.
    requireHostHeader: false,
    // Node would keep the first of two keys, and what stands before us the second.
    joinDuplicateHeaders: true,
  });
  // A client that has sent everything and half-closed still waits for its answers.
  Object.assign(server, { httpAllowHalfOpen: true });
  const connections = connectionsOf(server, times, options.connectionsMax ?? CONNECTIONS_MAX);
  const stop = { hasBegun: false, endDelay: () => {} };
  const answer = answerer(options, times, lab, stop);
  const receive = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const connection = connections.get(incoming.socket);
    connection?.answerInTurn(incoming, outgoing, async () => {
      const fault = faultOf(incoming);
      if (fault !== undefined) return connection.refuse(new PartnerError('BAD_REQUEST', { message: fault }));
      await answer(incoming, outgoing, connection);
    });
  };
  server.on('request', receive);
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // The body is first asked for when the key and the length have passed.
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
    /**
     * Is not ready from now on, but serves on for `delayMs`, in which balancers see it. Then takes no new connection, lets
     * the requests in flight end, and resolves.
     */
    async close({ delayMs = 0 } = {}): Promise<void> {
      stop.hasBegun = true;
      if (delayMs > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, delayMs);
          stop.endDelay = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      await drain(server, connections, times);
    },
    /** Cuts off all connections; a `close` under way resolves. */
    destroy(): void {
      stop.endDelay();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Answers a request of a connection through the lab or the engine. */
function answerer(
  { engine: { fetch }, observers = [], clientOf }: ServeOptions,
  { largeBodyMs }: ServeTimes,
  lab: ReturnType<typeof createLab> | undefined,
  stop: { readonly hasBegun: boolean },
) {
  const reads = new Turns(READ_AT_ONCE_MAX);
  const unsent = new UnsentAnswers();
  const ofCompanies = new LargeBodies(LARGE_BODY_BYTES_MAX, largeBodyMs);
  const ofAnybody = new LargeBodies(LARGE_BODY_BYTES_MAX, largeBodyMs);
  return async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    connection: Connection,
  ): Promise<void> => {
    const client = clientOf?.(connection.origin.remoteAddress, incoming.headers);
    const origin = client?.isProxied
      ? { localAddress: undefined, remoteAddress: client.remoteAddress }
      : connection.origin;
    if (client?.isProxied) connection.sender = senderOf(client);
    const seen =
      observers.length > 0 ? observed(observers, incoming, outgoing, origin.remoteAddress) : undefined;
    const facts = seen?.facts ?? (isLarge(incoming) ? {} : undefined);
    const from: RequestOrigin = facts === undefined ? origin : { ...origin, ...seen, facts };
    const work = async (): Promise<Response | undefined> => {
      if (stop.hasBegun && incoming.url === READY_PATH) return errorResponse(STOPPING);
      const request = requestOf(incoming, client);
      return lab === undefined ? fetch(request, from) : lab.answer(request, outgoing, from);
    };
    // A lab is slow on purpose, and probes must not wait for reads that wait for a database.
    const isRead = incoming.method === 'GET' && lab === undefined && !PROBES.has(incoming.url);
    // A body is read only after its key is accepted. Data read after the response is discarded.
    if (isLarge(incoming))
      incoming.once('resume', () => {
        if (outgoing.headersSent || incoming.destroyed) return;
        const { facts: { companyId } = {} } = from;
        const bodies = companyId === undefined ? ofAnybody : ofCompanies;
        const end = bodies.count(incoming, companyId ?? senderOf(from) ?? '', () => {
          connection.refuse(new PartnerError('REQUEST_TIMEOUT'));
          incoming.destroy();
        });
        incoming.once('close', end);
      });
    // A variable for the promise would keep the response in memory while it's sent.
    await (isRead ? reads.run(work) : work()).catch(unreadable).then((response) => {
      if (response === undefined || connection.isOver) return undefined;
      // What is left of the body is not waited for; and a proxy must not send into a connection as it closes.
      if ((!incoming.complete || stop.hasBegun) && !outgoing.headersSent)
        outgoing.setHeader('Connection', 'close');
      return connection.send(outgoing, response, unsent);
    });
    incoming.resume();
  };
}

const PROBES: ReadonlySet<string | undefined> = new Set([HEALTH_PATH, READY_PATH]);
const STOPPING = new PartnerError('UNAVAILABLE', { message: 'the server is stopping' });

/** For requests that name no address, as with a Host header that is no host. */
function unreadable(error: unknown): Response {
  if (error instanceof PartnerError && error.code === 'VALIDATION_FAILED') return errorResponse(error);
  throw error;
}

/** The connections of a server that are open; those on which nobody reads or asks for anything are cut off. */
function connectionsOf(server: Server, { lingerMs, unreadMs }: ServeTimes, most: number) {
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

/** Throws USAGE where the address cannot be listened on; `flag` chose the port. */
export async function listen(server: Server, host: string, port: number, flag: string) {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, `${host}:${port}`, flag)));
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return { origin: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`, port: bound };
}

const PORT_REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something listens there already',
  EACCES: 'this user may not listen there',
};
const HOST_REASONS: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'there is no such host',
};

function cannotListen(error: NodeJS.ErrnoException, address: string, flag: string): PartnerError {
  const { code = '' } = error;
  const reason = PORT_REASONS[code] ?? HOST_REASONS[code] ?? error.message;
  return new PartnerError('USAGE', {
    message: `cannot listen on ${address}: ${reason}`,
    hint:
      code in HOST_REASONS
        ? 'choose another with --host: 127.0.0.1 is this machine, 0.0.0.0 every address of it'
        : `choose another with ${flag} N; ${flag} 0 takes a free port`,
    cause: error,
  });
}

/** Node's own draining waits for connections that a browser has opened ahead and not used yet. */
function drain(server: Server, connections: ReadonlyMap<Duplex, Connection>, times: ServeTimes) {
  let accepted = 0;
  server.on('connection', () => accepted++);
  // Each turn of the event loop accepts one connection. Those still queued in the kernel would be reset.
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
