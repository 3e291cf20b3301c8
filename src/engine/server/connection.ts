import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ErrorCode, errorBody, errorRow, PartnerError } from '../../contract/errors.ts';
import type { PlainRequest, PlainResponse } from '../../contract/http-messages.ts';
import { findSender } from '../http/request-origin.ts';
import type { UnsentAnswers } from './limits.ts';
import type { ClientFacts } from './proxies.ts';

const WAITING_MAX = 100;
const WRITE_PIECE_BYTES = 32 * 1024;
const SHORT_CHARACTERS = 8 * 1024;

/** Runs pipelined requests one at a time. Node runs them all at once, so their responses could fill the memory. */
export class Connection {
  /** Stored, because a socket no longer has addresses after the client has closed it. */
  readonly origin: { readonly localAddress: string | undefined; readonly remoteAddress: string };
  /** The client that connection limits count. Behind a trusted proxy, it's the client of the newest request. */
  sender: string | undefined;
  #newest: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse } | undefined;
  #answering: ServerResponse | undefined;
  #fault: PartnerError | undefined;
  #openRequests = 0;
  readonly #waiting: (() => Promise<unknown>)[] = [];
  #isClosing = false;

  constructor(
    private readonly socket: Socket,
    lingerMs: number,
    private readonly onAnswered: (connection: Connection) => void,
  ) {
    this.origin = { localAddress: socket.localAddress, remoteAddress: socket.remoteAddress ?? 'unknown' };
    this.sender = findSender(this.origin);
    // Node calls this after the last response. Its default closes at once, and unread bytes of a body would then
    // reset the connection.
    socket.destroySoon = () => {
      if (this.#isClosing) return;
      endAll();
      this.#isClosing = true;
      socket.end();
      const linger = setTimeout(() => socket.destroy(), lingerMs).unref();
      socket.once('close', () => clearTimeout(linger));
    };
  }

  get isIdle(): boolean {
    return this.#openRequests === 0;
  }

  get isNew(): boolean {
    return this.#newest === undefined;
  }

  get isOver(): boolean {
    return this.#isClosing || this.socket.destroyed;
  }

  answerInTurn(incoming: IncomingMessage, outgoing: ServerResponse, answer: () => Promise<unknown>): void {
    if (this.#openRequests > WAITING_MAX) this.socket.destroy();
    if (this.isOver) return;
    this.#newest = { incoming, outgoing };
    this.#inTurn(async () => {
      if (this.#fault !== undefined && !incoming.complete) return this.refuse(this.#fault);
      this.#answering = outgoing;
      const closed = new Promise((resolve) => outgoing.once('close', resolve));
      await answer();
      await closed;
    });
  }

  send(outgoing: ServerResponse, response: PlainResponse, unsent: UnsentAnswers): Promise<void> | undefined {
    const { status } = response;
    const isText = 'plainHeaders' in response;
    const headers = isText ? response.plainHeaders : toNodeHeaders(response);
    const write = (content: string | Buffer) => this.#write(outgoing, status, headers, content, unsent);
    if (!isText) return response.arrayBuffer().then((bytes) => write(Buffer.from(bytes)));
    const { body } = response;
    return write(body.length <= SHORT_CHARACTERS ? encodeLatin1(body) : Buffer.from(body));
  }

  #write(
    outgoing: ServerResponse,
    status: number,
    headers: OutgoingHttpHeaders,
    content: string | Buffer,
    unsent: UnsentAnswers,
  ): Promise<void> | undefined {
    const isHead = outgoing.req.method === 'HEAD';
    const bytes = content.length;
    outgoing.writeHead(status, isHead ? headers : { ...headers, 'content-length': bytes });
    if (isHead || typeof content === 'string' || bytes <= WRITE_PIECE_BYTES) {
      // Ends responses together, because waking each client separately takes longer than creating a response.
      if (ending.push(() => outgoing.end(isHead ? undefined : content, 'latin1')) === 1) setImmediate(endAll);
      return undefined;
    }
    return sendPieces(outgoing, content, () => unsent.set(this.socket, bytes)).finally(() =>
      unsent.set(this.socket, 0),
    );
  }

  refuseInTurn(error: PartnerError): void {
    if (this.#fault !== undefined) return;
    this.#fault = error;
    const { incoming, outgoing } = this.#newest ?? {};
    if (incoming === undefined || incoming.complete) this.#inTurn(async () => this.refuse(error));
    else if (outgoing === this.#answering) this.refuse(error);
  }

  /** Writes an error in the envelope (2.7) directly to the socket, and closes the connection. */
  refuse(error: PartnerError): void {
    const hasBegun = this.#answering?.headersSent && !this.#answering.writableFinished;
    if (!this.isOver && !hasBegun) this.socket.write(formatRawAnswer(error));
    this.close();
  }

  close(): void {
    this.socket.destroySoon();
  }

  #inTurn(work: () => Promise<unknown>): void {
    this.#waiting.push(work);
    this.#openRequests++;
    if (this.#openRequests === 1) void this.#workInTurn();
  }

  async #workInTurn(): Promise<void> {
    for (let work = this.#waiting.shift(); work !== undefined; work = this.#waiting.shift()) {
      try {
        if (!this.isOver) await work();
      } catch (error) {
        this.socket.destroy(error as Error);
      }
      this.#openRequests--;
      this.onAnswered(this);
    }
  }
}

const ending: (() => void)[] = [];

function endAll(): void {
  for (const end of ending.splice(0)) end();
}

const encoder = new TextEncoder();
const scratch = Buffer.alloc(3 * SHORT_CHARACTERS);

/** Returns UTF-8 bytes as Latin-1 text, because Node writes that together with the header, and other text slowly. */
function encodeLatin1(text: string): string {
  const { written } = encoder.encodeInto(text, scratch);
  return written === text.length ? text : scratch.toString('latin1', 0, written);
}

const FAULTS: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'PAYLOAD_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

export function refuseUnservable(server: Server, connections: ReadonlyMap<Duplex, Connection>): void {
  const refuse = (socket: Duplex, code: ErrorCode, message?: string): void => {
    connections.get(socket)?.refuseInTurn(new PartnerError(code, { message }));
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    refuse(socket, FAULTS[error.code ?? ''] ?? 'BAD_REQUEST');
  });
  server.on('checkExpectation', ({ socket, headers }: IncomingMessage, _outgoing: ServerResponse) => {
    refuse(socket, 'EXPECTATION_FAILED', `the server doesn't support this Expect header: ${headers.expect}`);
  });
  server.on('connect', (_incoming: IncomingMessage, socket: Duplex) => {
    socket.resume();
    refuse(socket, 'METHOD_NOT_ALLOWED', "CONNECT isn't supported: this server isn't a proxy");
  });
}

/** Returns the connection to close for a new one. Picks the client with the most, and an idle one if possible. */
export function leastNeeded<Key>(open: [Key, Connection][], newest: Connection): Key | undefined {
  const counts = new Map<string | undefined, number>();
  for (const [, { sender }] of open) counts.set(sender, (counts.get(sender) ?? 0) + 1);
  let most = newest.sender;
  for (const [sender, count] of counts) if (count > (counts.get(most) ?? 0)) most = sender;
  const ofOne = open.filter(([, { sender, isOver }]) => sender === most && !isOver);
  return (ofOne.find(([, { isIdle }]) => isIdle) ?? ofOne[0])?.[0];
}

/** Returns the fault of a request that Node accepts but a proxy could read differently. */
export function findRequestFault({ httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'the request must use HTTP/1.1 or HTTP/1.0';
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  const isNamed = hosts === 1 || (hosts === 0 && httpVersion === '1.0');
  return isNamed ? undefined : `the request must have one Host header, not ${hosts}`;
}

function toNodeHeaders({ headers }: Response): OutgoingHttpHeaders {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) };
}

/** A separate function, because a generator inside the caller would keep the response text in memory. */
async function sendPieces(outgoing: ServerResponse, bytes: Buffer, onProgress: () => void): Promise<void> {
  const pieces = function* () {
    for (let at = 0; at < bytes.byteLength; at += WRITE_PIECE_BYTES) {
      onProgress();
      yield bytes.subarray(at, at + WRITE_PIECE_BYTES);
    }
  };
  await pipeline(pieces, outgoing).catch(() => undefined);
}

function formatRawAnswer(error: PartnerError): string {
  const status = errorRow(error.code).status ?? 500;
  const body = JSON.stringify(errorBody(error));
  const headers = [
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    `Date: ${new Date().toUTCString()}`,
  ];
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
}

export function toPlainRequest(incoming: IncomingMessage, client: ClientFacts | undefined): PlainRequest {
  const { method = 'GET', headers } = incoming;
  const host = client?.host ?? headers.host ?? '';
  const url = buildUrl(incoming.url ?? '', host, client?.protocol ?? 'http');
  const get = (name: string): string | null => {
    const value = headers[name.toLowerCase()];
    return typeof value === 'string' ? value : (value?.join(', ') ?? null);
  };
  return { method, url, headers: { get }, body: incoming };
}

const USUAL_HOST = /^[a-z0-9.-]+:\d{4,5}$/;
/** Matches only targets that URL parsing wouldn't change. For example, `/../` doesn't match. */
const USUAL_TARGET = /^\/(?!\/)[\w~-]*(?:[/?&=,+%][\w~-]+)*$/;

function buildUrl(target: string, host: string, scheme: string): string {
  if (USUAL_HOST.test(host) && USUAL_TARGET.test(target)) return `${scheme}://${host}${target}`;
  try {
    if (target.split('?', 1)[0]?.includes('\\')) throw new TypeError('a backslash in the path');
    if (/^https?:\/\//.test(target)) return new URL(target).href;
    const { hostname } = new URL(`${scheme}://${host}`);
    if (!target.startsWith('/') || hostname !== host.replace(/:\d*$/, '').toLowerCase()) {
      throw new TypeError('invalid host or path');
    }
    return new URL(`${scheme}://${host}${target}`).href;
  } catch (cause) {
    throw new PartnerError('VALIDATION_FAILED', { message: 'invalid request URL or Host header', cause });
  }
}
