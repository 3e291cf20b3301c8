import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorCode, PartnerError } from '../../contract/errors.ts';
import type { Connection } from './connection.ts';

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

/** What is wrong with a request that Node takes, but a proxy may read in another way. */
export function faultOf({ httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'the request must be of HTTP/1.1 or HTTP/1.0';
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  const isNamed = hosts === 1 || (hosts === 0 && httpVersion === '1.0');
  return isNamed ? undefined : `the request must have one Host header, not ${hosts}`;
}
