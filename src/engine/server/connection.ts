import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ErrorCode, errorBody, errorRow, PartnerError } from '../../contract/errors.ts';
import { plainHeaders, wholeText } from '../../contract/whole-text.ts';
import { senderOf } from '../http/request-origin.ts';
import type { UnsentAnswers } from './limits.ts';

/** Requests that may wait behind the one that is being answered; a client that sends more ahead is cut off. */
const WAITING_MAX = 100;
const WRITE_PIECE_BYTES = 32 * 1024;
const SHORT_CHARACTERS = 8 * 1024;

/** Answers pipelined requests one at a time, as Node does not, so that their answers do not fill the memory. */
export class Connection {
  /** Kept: a socket that the client has closed no longer knows its addresses. */
  readonly origin: { readonly localAddress: string | undefined; readonly remoteAddress: string };
  /** The client that connections are limited by: behind a trusted proxy, the one of the newest request. */
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
    this.sender = senderOf(this.origin);
    // Node calls it after the last answer. Its own closes at once, and bytes of a body that nobody has read would then
    // reset the connection before the client has the answer.
    socket.destroySoon = () => {
      if (this.#isClosing) return;
      endAll();
      this.#isClosing = true;
      socket.end();
      setTimeout(() => socket.destroy(), lingerMs).unref();
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

  /** Sends an answer; of a large one, more only as its client reads. */
  send(outgoing: ServerResponse, response: Response, unsent: UnsentAnswers): Promise<void> | undefined {
    const text = wholeText(response);
    const write = (content: string | Buffer) => this.#write(outgoing, response, content, unsent);
    if (text === undefined) return response.arrayBuffer().then((bytes) => write(Buffer.from(bytes)));
    return write(text.length <= SHORT_CHARACTERS ? encoded(text) : Buffer.from(text));
  }

  #write(
    outgoing: ServerResponse,
    response: Response,
    content: string | Buffer,
    unsent: UnsentAnswers,
  ): Promise<void> | undefined {
    const isHead = outgoing.req.method === 'HEAD';
    const bytes = content.length;
    const headers = plainHeaders(response) ?? headersOf(response);
    outgoing.writeHead(response.status, isHead ? headers : { ...headers, 'content-length': bytes });
    if (isHead || typeof content === 'string' || bytes <= WRITE_PIECE_BYTES) {
      endTogether(() => outgoing.end(isHead ? undefined : content, 'latin1'));
      return undefined;
    }
    return sendPieces(outgoing, content, () => unsent.set(this.socket, bytes)).finally(() =>
      unsent.set(this.socket, 0),
    );
  }

  /** Refuses what never became a request, or one whose body is broken, after everything before it is answered. */
  refuseInTurn(error: PartnerError): void {
    if (this.#fault !== undefined) return;
    this.#fault = error;
    const { incoming, outgoing } = this.#newest ?? {};
    if (incoming === undefined || incoming.complete) this.#inTurn(async () => this.refuse(error));
    else if (outgoing === this.#answering) this.refuse(error);
  }

  /** Answers with an error in the envelope (2.7), past the HTTP server, and closes the connection. */
  refuse(error: PartnerError): void {
    const hasBegun = this.#answering?.headersSent && !this.#answering.writableFinished;
    if (!this.isOver && !hasBegun) this.socket.write(rawAnswer(error));
    this.close();
  }

  /** Sends what is still to be sent, and closes; what the client goes on sending is dropped. */
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

/** At the end of the event loop's turn: to wake clients for each answer alone takes longer than to make the answer. */
function endTogether(end: () => void): void {
  if (ending.push(end) === 1) setImmediate(endAll);
}

function endAll(): void {
  for (const end of ending.splice(0)) end();
}

const encoder = new TextEncoder();
/** A character takes at most three bytes of UTF-8. */
const scratch = Buffer.alloc(3 * SHORT_CHARACTERS);

/** UTF-8 with a character for each byte: Node writes its header and a Latin-1 text at once, and encodes other texts slowly. */
function encoded(text: string): string {
  const { written } = encoder.encodeInto(text, scratch);
  return written === text.length ? text : scratch.toString('latin1', 0, written);
}

/** Node's errors for what is no valid request; any other is BAD_REQUEST. */
const FAULTS: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'PAYLOAD_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** Answers what never becomes a request in the envelope of section 2.7, and closes the connection. */
export function refuseUnservable(server: Server, connections: ReadonlyMap<Duplex, Connection>): void {
  const refuse = (socket: Duplex, code: ErrorCode, message?: string): void => {
    connections.get(socket)?.refuseInTurn(new PartnerError(code, { message }));
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    refuse(socket, FAULTS[error.code ?? ''] ?? 'BAD_REQUEST');
  });
  server.on('checkExpectation', ({ socket, headers }: IncomingMessage, _outgoing: ServerResponse) => {
    refuse(socket, 'EXPECTATION_FAILED', `the server cannot do what Expect asks for: ${headers.expect}`);
  });
  server.on('connect', (_incoming: IncomingMessage, socket: Duplex) => {
    socket.resume();
    refuse(socket, 'METHOD_NOT_ALLOWED', 'CONNECT is not offered: this is no proxy');
  });
}

/** The connection to close for a new one: of the client with the most, an idle one if it has any. */
export function leastNeeded<Key>(open: [Key, Connection][], newest: Connection): Key | undefined {
  const counts = new Map<string | undefined, number>();
  for (const [, { sender }] of open) counts.set(sender, (counts.get(sender) ?? 0) + 1);
  let most = newest.sender;
  for (const [sender, count] of counts) if (count > (counts.get(most) ?? 0)) most = sender;
  const ofOne = open.filter(([, { sender, isOver }]) => sender === most && !isOver);
  return (ofOne.find(([, { isIdle }]) => isIdle) ?? ofOne[0])?.[0];
}

/** What is wrong with a request that Node takes, but a proxy may read in another way. */
export function faultOf({ httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'the request must be of HTTP/1.1 or HTTP/1.0';
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  const isNamed = hosts === 1 || (hosts === 0 && httpVersion === '1.0');
  return isNamed ? undefined : `the request must have one Host header, not ${hosts}`;
}

function headersOf({ headers }: Response): Record<string, string | string[]> {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) };
}

/** Apart from where the bytes are made: the text of an answer would be kept until it is read. */
async function sendPieces(outgoing: ServerResponse, bytes: Buffer, onProgress: () => void): Promise<void> {
  const pieces = function* () {
    for (let at = 0; at < bytes.byteLength; at += WRITE_PIECE_BYTES) {
      onProgress();
      yield bytes.subarray(at, at + WRITE_PIECE_BYTES);
    }
  };
  // It fails where the client has gone.
  await pipeline(pieces, outgoing).catch(() => undefined);
}

function rawAnswer(error: PartnerError): string {
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
