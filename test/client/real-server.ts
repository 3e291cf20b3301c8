import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import * as net from 'node:net';
import { type NetworkOptions, openNetwork } from '../../src/client/network.ts';
import { fixture } from '../fixture.ts';

export interface RealServer {
  readonly port: number;
  readonly origin: string;
  readonly requests: readonly ArrivedRequest[];
  readonly connections: number;
  /** The `host:port` of every requested tunnel. */
  readonly tunnels: readonly string[];
}

interface ArrivedRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answerer = (arrived: ArrivedRequest, ...io: Parameters<RequestListener>) => void;
type Tunneller = (target: string, socket: net.Socket) => void;

export class RealServers {
  private readonly open: (Server | net.Server)[] = [];

  async listen(answer: Answerer, tunnel: Tunneller = (_, socket) => socket.destroy()): Promise<RealServer> {
    const requests: ArrivedRequest[] = [];
    const tunnels: string[] = [];
    let connections = 0;
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { method, url, headers } = request;
      const arrived = { method, url, headers, body };
      requests.push(arrived);
      answer(arrived, request, response);
    });
    server.on('connection', () => connections++);
    server.on('connect', (request, socket: net.Socket) => {
      tunnels.push(request.url ?? '');
      tunnel(request.url ?? '', socket);
    });
    this.open.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as net.AddressInfo;
    return {
      port,
      origin: `http://127.0.0.1:${port}`,
      requests,
      tunnels,
      get connections() {
        return connections;
      },
    };
  }

  async listenRaw(connected: (socket: net.Socket) => void): Promise<{ readonly port: number }> {
    const server = net.createServer(connected);
    this.open.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { port: (server.address() as net.AddressInfo).port };
  }

  async close(): Promise<void> {
    for (const server of this.open.splice(0)) {
      if ('closeAllConnections' in server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }
}

/** Servers that are closed after each test, or after all tests of a `describe`. */
export function realServers(tests: 'each test' | 'all tests'): RealServers {
  return fixture(tests, () => new RealServers());
}

export function connectionsOfEachTest() {
  const networks: ReturnType<typeof openNetwork>[] = [];
  afterEach(async () => {
    for (const network of networks.splice(0)) await network.close();
  });
  const servers = realServers('each test');
  const newNetwork = (options: Partial<NetworkOptions> = {}) => {
    const network = openNetwork({ allowInsecure: false, env: {}, ...options });
    networks.push(network);
    return network;
  };
  return { servers, newNetwork };
}

export async function freePort(): Promise<number> {
  const servers = new RealServers();
  const { port } = await servers.listen(() => {});
  await servers.close();
  return port;
}
