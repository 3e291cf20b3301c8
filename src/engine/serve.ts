import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { ERRORS, errorBody, PartnerError } from '../contract/errors.ts';
import { PREFIX } from './app.ts';
import type { LabOptions } from './lab/decisions.ts';
import { createLab, type Injected, type Sleep } from './lab/lab.ts';
import type { Engine } from './open.ts';

export interface ServeOptions {
  readonly engine: Pick<Engine, 'fetch'>;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** How long `close` waits for requests in flight. */
  readonly drainMs?: number;
  /** Puts a bad network before the engine. */
  readonly lab?: LabOptions | undefined;
  /** How the lab waits. */
  readonly sleep?: Sleep;
}

export interface Served {
  /** The base URL, version segment included. */
  readonly url: string;
  readonly port: number;
  /** What the lab has done so far; undefined without one. */
  injected(): Injected | undefined;
  /** Takes no new connection, lets the requests in flight end, then resolves. */
  close(): Promise<void>;
}

/** Whoever has not sent a whole request by then is cut off: a slow sender cannot hold a connection for good. */
const TIMEOUTS = { headersTimeout: 15_000, requestTimeout: 60_000, keepAliveTimeout: 10_000 } as const;
const DRAIN_MS = 10_000;

/** Puts the engine behind a socket. Throws USAGE where the address cannot be listened on. */
export async function serveEngine(options: ServeOptions): Promise<Served> {
  const { engine, host, port, drainMs = DRAIN_MS } = options;
  const lab = options.lab && createLab(engine.fetch, options.lab, options.sleep);
  const answer = getRequestListener(
    (request, { incoming, outgoing }) => {
      const { localAddress } = incoming.socket;
      return lab === undefined
        ? engine.fetch(request, { localAddress })
        : lab.answer(request, outgoing as ServerResponse, { localAddress });
    },
    { overrideGlobalObjects: false, errorHandler: answerUnreadable },
  );
  const server = createServer(TIMEOUTS);
  const drain = drainer(server, drainMs);
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    drain.watch(incoming, outgoing);
    void answer(incoming, outgoing);
  });
  await listen(server, host, port);
  const { port: bound } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  const url = `http://${name}:${bound}${PREFIX}`;
  return { url, port: bound, injected: () => lab?.injected(), close: drain.close };
}

/** For requests that never become one, as with a Host header that is no host: in the envelope (2.7) too. */
function answerUnreadable(): Response {
  const error = new PartnerError('VALIDATION_FAILED', { message: 'the request cannot be understood' });
  return Response.json(errorBody(error), { status: ERRORS.VALIDATION_FAILED.status });
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port)));
    server.listen(port, host, resolve);
  });
}

const LISTEN_REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program is listening there',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'there is no such host',
};

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): PartnerError {
  const reason = LISTEN_REASONS[error.code ?? ''] ?? error.message;
  return new PartnerError('USAGE', {
    message: `cannot listen on ${host}:${port}: ${reason}`,
    hint: 'choose another with --port N; --port 0 takes a free port',
    cause: error,
  });
}

/** Node ends a server only when every connection has ended; this ends each as soon as nobody waits on it. */
function drainer(server: Server, drainMs: number) {
  const inFlight = new Map<Socket, number>();
  let isDraining = false;
  const settle = (socket: Socket): void => {
    if (isDraining && inFlight.get(socket) === 0) socket.end();
  };
  server.on('connection', (socket: Socket) => {
    inFlight.set(socket, 0);
    socket.once('close', () => inFlight.delete(socket));
  });
  return {
    watch({ socket }: IncomingMessage, outgoing: ServerResponse): void {
      inFlight.set(socket, (inFlight.get(socket) ?? 0) + 1);
      outgoing.once('close', () => {
        inFlight.set(socket, (inFlight.get(socket) ?? 1) - 1);
        settle(socket);
      });
    },
    close(): Promise<void> {
      isDraining = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of inFlight.keys()) settle(socket);
      const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
      return closed.finally(() => clearTimeout(deadline));
    },
  };
}
