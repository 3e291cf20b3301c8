import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const HOST = '127.0.0.1';

export async function opened(port: number): Promise<Socket> {
  const socket = connect({ port, host: HOST, allowHalfOpen: true }).on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/**
 * Sends each entry as one packet and returns everything received until the server closes. `end` half-closes the
 * connection afterwards.
 */
export async function conversation(
  port: number,
  bytes: string | Buffer | readonly Buffer[],
  { end = false }: { end?: boolean } = {},
): Promise<string> {
  const socket = await opened(port);
  const closed = Promise.race([once(socket, 'end'), once(socket, 'close')]);
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  socket.setNoDelay();
  for (const packet of typeof bytes === 'string' || Buffer.isBuffer(bytes) ? [bytes] : bytes) {
    socket.write(packet);
    await new Promise(setImmediate);
  }
  if (end) socket.end();
  await closed;
  socket.destroy();
  return received;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Parses all final responses; fails if any bytes remain. */
export function answersIn(received: string, methods: readonly string[] = []): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = received;
  while (rest !== '') {
    const head = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/.exec(rest);
    assert.ok(head, `no answer begins with ${JSON.stringify(rest.slice(0, 200))}`);
    const [whole, status, lines = ''] = head;
    rest = rest.slice(whole.length);
    if (status === '100') continue;
    const headers = new Headers(
      lines
        .split('\r\n')
        .filter(Boolean)
        .map((line): [string, string] => [
          line.slice(0, line.indexOf(':')),
          line.slice(line.indexOf(':') + 1).trim(),
        ]),
    );
    const length =
      methods[answers.length] === 'HEAD' ? 0 : Number(headers.get('content-length') ?? Number.NaN);
    assert.ok(length <= rest.length, `an answer of ${length} bytes has ${rest.length}`);
    answers.push({ status: Number(status), headers, body: rest.slice(0, length) });
    rest = rest.slice(length);
  }
  return answers;
}

/** Checks the error envelope (2.7). */
export function errorCodeOf({ headers, body }: RawAnswer): string {
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  const { error } = JSON.parse(Buffer.from(body, 'latin1').toString()) as {
    error: { code: string; message: string };
  };
  assert.ok(error.message.length > 0);
  return error.code;
}
