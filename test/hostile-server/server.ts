import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { goodAnswer, type RawRequest } from './good-answer.ts';

/** A mode returns the bytes of a response, or writes to the socket itself. */
export interface Hostility {
  readonly good: string;
  readonly request: RawRequest;
  /** Origins of this server and of another one that no key may ever reach. */
  readonly origin: string;
  readonly elsewhere: string;
  readonly socket: Socket;
}

export type Mode = (hostility: Hostility) => string | Buffer | undefined;

export interface HostileServer {
  /** An unknown mode gives a good server. With `writes`, GET requests get good responses. */
  url(mode: string, only?: 'writes'): string;
  readonly strayed: readonly string[];
  close(): Promise<void>;
}

/** Uses raw sockets because Node's HTTP server refuses to send most of these responses. */
export async function startHostileServer(modes: Readonly<Record<string, Mode>>): Promise<HostileServer> {
  const names = Object.keys(modes);
  const sockets = new Set<Socket>();
  const strayed: string[] = [];
  let origin = '';
  let elsewhere = '';
  const server = await listening((socket) =>
    readRequests(socket, sockets, (head) => {
      const [method = '', target = ''] = head.split(' ');
      const [, index, only, path = ''] = /^\/m(\d+)(w?)(\/v1.*)$/.exec(target) ?? [];
      const mode = modes[names[Number(index)] ?? ''];
      const { pathname, searchParams } = new URL(path, origin);
      const request = { method, path: pathname, cursor: searchParams.get('cursor') };
      const good = goodAnswer(request);
      const isWell = mode === undefined || (only === 'w' && method === 'GET');
      const answer = isWell ? ok(good) : mode({ good, request, origin, elsewhere, socket });
      if (answer !== undefined) socket.write(answer);
    }),
  );
  const other = await listening((socket) =>
    readRequests(socket, sockets, (head) => {
      strayed.push(head);
      socket.write(ok('{}'));
    }),
  );
  origin = originOf(server);
  elsewhere = originOf(other);
  return {
    url(mode, only) {
      const index = names.includes(mode) ? names.indexOf(mode) : names.length;
      return `${origin}/m${index}${only === undefined ? '' : 'w'}/v1`;
    },
    strayed,
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all([server, other].map((each) => new Promise((resolve) => each.close(resolve))));
    },
  };
}

export function answer(body: string | Buffer, status: number | string = 200, ...headers: string[]): Buffer {
  const all = ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`, ...headers];
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} Said\r\n${all.join('\r\n')}\r\n\r\n`, 'latin1'),
    Buffer.from(body),
  ]);
}

export function ok(body: string): Buffer {
  return answer(body);
}

async function listening(connected: (socket: Socket) => void): Promise<Server> {
  const server = createServer(connected);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Passes on the head of each request after its body has arrived. */
function readRequests(socket: Socket, sockets: Set<Socket>, take: (head: string) => void): void {
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket)).on('error', () => {});
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
    for (;;) {
      const end = received.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = received.slice(0, end);
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      if (received.length < end + 4 + length) return;
      received = received.slice(end + 4 + length);
      take(head);
    }
  });
}
