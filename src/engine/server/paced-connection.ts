import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { errorBody, errorRow, type PartnerError } from '../../contract/errors.ts';
import type { UnsentAnswers } from './unsent-answers.ts';

/** Node's HTTP parser cannot stop within a chunk, so it gets small ones. */
const READ_PIECE_BYTES = 1024;
/** How many requests may wait behind the one that is being answered before no more are parsed. */
const WAITING_MAX = 16;
/** A reader that takes this much makes progress. */
const WRITE_PIECE_BYTES = 32 * 1024;
/** Read and dropped after the last answer: closing on unread bytes would reset the connection before it is read. */
const DROPPED_BYTES_MAX = 64 * 1024 * 1024;
const NOTHING = Buffer.alloc(0);

export interface PacedConnectionOptions {
  readonly unsent: UnsentAnswers;
  /** A client that reads nothing for so long is cut off. */
  readonly unreadMs: number;
  /** How long a client may go on sending after the last answer. */
  readonly lingerMs: number;
}

/**
 * A connection as the HTTP server sees it. Node parses and handles all pipelined requests at once; here they are
 * answered one at a time, and only a few are parsed ahead, so that neither they nor their answers fill the memory.
 */
export class PacedConnection extends Duplex {
  /** Kept: a socket that the client has closed no longer knows them. */
  readonly localAddress: string | undefined;
  readonly remoteAddress: string | undefined;
  readonly #socket: Socket;
  readonly #options: PacedConnectionOptions;
  #held: Buffer = NOTHING;
  /** Bytes of a body: they hold no further request and need not be fed in pieces. */
  #bodyBytes = 0;
  #droppedBytes = 0;
  #isWanted = false;
  #hasEnded = false;
  #isClosing = false;
  #newest: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse } | undefined;
  #answering: ServerResponse | undefined;
  #fault: PartnerError | undefined;
  #openRequests = 0;
  #turn: Promise<void> = Promise.resolve();
  #unreadTimer: NodeJS.Timeout | undefined;

  constructor(socket: Socket, options: PacedConnectionOptions) {
    super({ readableHighWaterMark: 16 * READ_PIECE_BYTES });
    this.localAddress = socket.localAddress;
    this.remoteAddress = socket.remoteAddress;
    this.#socket = socket;
    this.#options = options;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('end', () => {
      this.#hasEnded = true;
      if (this.#isClosing && this.writableFinished) this.destroy();
      this.#feed();
    });
    socket.on('timeout', () => this.emit('timeout'));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  /** Whether no request waits for its answer. */
  get isIdle(): boolean {
    return this.#openRequests === 0;
  }

  /** Runs `answer` once every earlier request is answered, unless the connection is gone by then. */
  answerInTurn(incoming: IncomingMessage, outgoing: ServerResponse, answer: () => Promise<unknown>): void {
    this.#newest = { incoming, outgoing };
    // How much of the body came with the header is not known, but it is less than a piece.
    this.#bodyBytes = Math.max(0, Number(incoming.headers['content-length'] ?? 0) - READ_PIECE_BYTES) || 0;
    this.#inTurn(async () => {
      if (this.#fault !== undefined && !incoming.complete) return this.refuse(this.#fault);
      this.#answering = outgoing;
      const closed = new Promise((resolve) => outgoing.once('close', resolve));
      await answer();
      await closed;
    });
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
    if (!this.#isClosing && !hasBegun) this.write(rawAnswer(error));
    this.destroySoon();
  }

  /** Sends what is still to be sent, and closes; what the client goes on sending is dropped for a short time. */
  destroySoon(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#held = NOTHING;
    this.#socket.resume();
    this.end(() => {
      if (this.#hasEnded) this.destroy();
      else setTimeout(() => this.destroy(), this.#options.lingerMs).unref();
    });
  }

  setTimeout(timeoutMs: number, listener?: () => void): this {
    this.#socket.setTimeout(timeoutMs);
    if (listener !== undefined) this.once('timeout', listener);
    return this;
  }

  override _read(): void {
    this.#isWanted = true;
    this.#feed();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#send(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#unreadTimer);
    this.#options.unsent.set(this, 0);
    this.#socket.destroy();
    done(error);
  }

  #inTurn(work: () => Promise<void>): void {
    this.#openRequests++;
    this.#turn = this.#turn
      .then(() => (this.destroyed || this.#isClosing ? undefined : work()))
      .catch((error: Error) => void this.destroy(error))
      .finally(() => {
        this.#openRequests--;
        this.emit('answered');
        this.#feed();
      });
  }

  #receive(chunk: Buffer): void {
    if (!this.#isClosing) {
      this.#held = this.#held.byteLength === 0 ? chunk : Buffer.concat([this.#held, chunk]);
      this.#feed();
      if (this.#held.byteLength > 0 || !this.#isWanted) this.#socket.pause();
      return;
    }
    this.#droppedBytes += chunk.byteLength;
    if (this.#droppedBytes > DROPPED_BYTES_MAX) this.destroy();
  }

  /** Passes on what is held, as long as the HTTP server wants more and not too many requests wait. */
  #feed(): void {
    if (this.#isClosing || this.#fault !== undefined || this.destroyed) return;
    while (this.#isWanted && this.#held.byteLength > 0 && this.#openRequests <= WAITING_MAX) {
      const size = Math.max(READ_PIECE_BYTES, this.#bodyBytes);
      const piece = this.#held.subarray(0, size);
      this.#held = this.#held.subarray(size);
      this.#bodyBytes = Math.max(0, this.#bodyBytes - piece.byteLength);
      this.#isWanted = false;
      if (this.push(piece)) this.#isWanted = true;
    }
    if (this.#held.byteLength > 0 || this.#isClosing || this.#fault !== undefined) return;
    if (!this.#hasEnded) {
      if (this.#isWanted) this.#socket.resume();
    } else if (this.isIdle || this.#newest?.incoming.complete === false) {
      // Not before: a client that has sent everything and half-closed still waits for its answers.
      this.push(null);
    }
  }

  #send(bytes: Buffer, done: (error?: Error | null) => void): void {
    const { unsent, unreadMs } = this.#options;
    this.#socket.write(bytes.subarray(0, WRITE_PIECE_BYTES), (error) => {
      clearTimeout(this.#unreadTimer);
      const rest = bytes.subarray(WRITE_PIECE_BYTES);
      unsent.set(this, rest.byteLength);
      if (error || rest.byteLength === 0) done(error);
      else this.#send(rest, done);
    });
    if (this.#socket.writableLength === 0) return;
    unsent.set(this, bytes.byteLength);
    this.#unreadTimer = setTimeout(() => this.destroy(), unreadMs).unref();
  }
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
