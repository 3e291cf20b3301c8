import { deflateSync, gzipSync } from 'node:zlib';
import { BODIES, ERRORS } from './bodies.ts';
import retryAfter from './retry-after.json' with { type: 'json' };
import { answer, type Hostility, type Mode, ok } from './server.ts';

const encoded = (body: Buffer | string, encoding: string) =>
  answer(body, 200, `content-encoding: ${encoding}`);
const head = (...lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
const redirect = (status: number, location: string): Buffer => answer('', status, `location: ${location}`);

const last = ({ socket }: Hostility, bytes: string | Buffer): undefined => {
  socket.end(bytes);
};

/** Writes until the other side disconnects, but respects backpressure. */
const endless = ({ socket }: Hostility, first: string, more: string): undefined => {
  const pump = (): void => {
    while (!socket.destroyed && socket.write(more)) {
      if (socket.writableLength > 1_000_000) return;
    }
    if (!socket.destroyed) socket.once('drain', pump);
  };
  socket.write(first);
  pump();
};

const slow = ({ socket }: Hostility, first: string): undefined => {
  socket.write(first);
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(' ')), 10);
};

const reset = ({ socket }: Hostility, bytes = ''): undefined => {
  if (bytes === '') socket.resetAndDestroy();
  else socket.write(bytes, () => socket.resetAndDestroy());
};

const withoutChecksum = (zipped: Buffer): Buffer => zipped.fill(0, zipped.length - 8);

const json = 'content-type: application/json';
const chunked = (...lines: string[]) => head('HTTP/1.1 200 OK', json, 'transfer-encoding: chunked', ...lines);
/** 200 MB of spaces, 1 MB per gzip member. */
const BOMB = Buffer.concat(Array<Buffer>(200).fill(gzipSync(Buffer.alloc(1_000_000, 32))));
const SIX = Array(6).fill('gzip').join(', ');
const isList = ({ request }: Hostility) => request.method === 'GET' && request.path.endsWith('/jobs');

let pages = 0;
const page = (hostility: Hostility, nextCursor: string, items?: readonly unknown[]): Buffer => {
  if (!isList(hostility)) return ok(hostility.good);
  const { items: good } = JSON.parse(hostility.good) as { items: readonly object[] };
  return ok(JSON.stringify({ items: items ?? good, nextCursor }));
};

const WIRE: Readonly<Record<string, Mode>> = {
  'a status line of another protocol': () => head('HTP/1.1 200 OK', json),
  'a status that is no number': () => head('HTTP/1.1 abc OK', json),
  'HTTP/0.9': (at) => last(at, at.good),
  'HTTP/1.0 until the end': (at) => last(at, `${head('HTTP/1.0 200 OK', json)}${at.good}`),
  'the preface of HTTP/2': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  'an alert of TLS': () => Buffer.from('15030300020228', 'hex'),
  'the banner of another service': (at) => last(at, 'SSH-2.0-OpenSSH_9.6\r\n'),
  'less than its length, then the end': (at) =>
    last(at, `${head('HTTP/1.1 200 OK', json, 'content-length: 100000')}${at.good}`),
  'more than its length': (at) => `${head('HTTP/1.1 200 OK', json, 'content-length: 2')}${at.good}`,
  'two lengths': (at) => answer(at.good, 200, 'content-length: 7'),
  'a length and chunks': (at) => answer(at.good, 200, 'transfer-encoding: chunked'),
  'a chunk size that is no number': () => `${chunked()}zz\r\n{}\r\n0\r\n\r\n`,
  'a chunk of 2^68 bytes': () => `${chunked()}FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n`,
  'a chunk cut off': (at) => last(at, `${chunked()}ff\r\n{}`),
  'chunks without end': (at) => endless(at, chunked(), '1\r\n \r\n'.repeat(1000)),
  'chunks that stop': () => `${chunked()}2\r\n{}\r\n`,
  trailers: (at) =>
    `${chunked('trailer: authorization')}${at.good.length.toString(16)}\r\n${at.good}\r\n0\r\nauthorization: x\r\nset-cookie: a=b\r\n\r\n`,
  'six encodings': () => encoded('hello', SIX),
  'six encodings, and the end': (at) =>
    last(at, `${head('HTTP/1.1 200 OK', json, `content-encoding: ${SIX}`)}${'x'.repeat(50_000)}`),
  'six encodings of an error': () => answer('hello', 422, `content-encoding: ${SIX}`),
  'gzip cut off': (at) => encoded(gzipSync(at.good).subarray(0, -12), 'gzip'),
  'gzip of nonsense': () => encoded('hello', 'gzip'),
  'gzip with a wrong checksum': (at) => encoded(withoutChecksum(gzipSync(at.good)), 'gzip'),
  'gzip of 200 MB': () => encoded(BOMB, 'gzip'),
  'gzip that is none': (at) => encoded(at.good, 'gzip'),
  'deflate cut off': (at) => encoded(deflateSync(at.good).subarray(0, -6), 'deflate'),
  'an encoding that nobody knows': (at) => encoded(at.good, 'rot13, , ,'),
  'headers of 100 KB': (at) => answer(at.good, 200, `x: ${'y'.repeat(100_000)}`),
  'headers without end': (at) => endless(at, 'HTTP/1.1 200 OK\r\n', 'x: y\r\n'.repeat(1000)),
  'a header without a colon': (at) => answer(at.good, 200, 'nonsense'),
  'NUL in a header': (at) => answer(at.good, 200, 'x: a\0b'),
  'bytes beyond ASCII in each header': (at) =>
    answer(at.good, 200, 'x: \xff\xfe', 'retry-after: \xff', 'date: \xff', 'idempotency-status: \xff\x9b31m'),
  'the header __proto__': (at) => answer(at.good, 200, '__proto__: x', 'constructor: y'),
  'a body without end': (at) => endless(at, head('HTTP/1.1 200 OK', json), ' '.repeat(65_536)),
  'a body a byte at a time': (at) => slow(at, head('HTTP/1.1 200 OK', json)),
  'headers a byte at a time': (at) => slow(at, 'HTTP/1.1 200 OK\r\nx: '),
  'no answer': () => undefined,
  'headers alone': () => head('HTTP/1.1 200 OK', json, 'content-length: 7'),
  'a reset at once': (at) => reset(at),
  'a reset in the status line': (at) => reset(at, 'HTTP/1.1 20'),
  'a reset in the body': (at) => reset(at, `${head('HTTP/1.1 200 OK', json, 'content-length: 100')}{`),
  'the end at once': (at) => last(at, ''),
  'two answers to one request': (at) => Buffer.concat([ok(at.good), ok('{}')]),
};

const REDIRECTS: Readonly<Record<string, Mode>> = {
  'a redirect to itself': (at) => redirect(307, `${at.origin}${at.request.path}`),
  ...Object.fromEntries(
    [301, 302, 303, 307, 308].map((status) => [
      `a redirect to another origin with ${status}`,
      (at: Hostility) => redirect(status, `${at.elsewhere}/v1/jobs/12`),
    ]),
  ),
  'a redirect with a user and a password': ({ origin, request }) =>
    redirect(308, `${origin.replace('//', '//user:pass@')}${request.path}`),
  'a redirect to another origin that looks like a user': ({ origin, elsewhere, request }) =>
    redirect(307, `${origin}@${elsewhere.replace('http://', '')}${request.path}`),
  'a redirect to a script': () => redirect(307, 'javascript:alert(1)'),
  'a redirect to a port that is blocked': () => redirect(307, 'http://127.0.0.1:22/v1/jobs'),
  'a redirect without a host': ({ elsewhere }) => redirect(307, `//${elsewhere.replace('http://', '')}/v1`),
  'a relative redirect': () => redirect(307, '../../v1/jobs/12'),
  'a redirect to nowhere': () => redirect(307, 'http://[::1/'),
  'a redirect without Location': () => answer('', 307),
  '300 Locations': (at) => answer('', 307, ...Array<string>(300).fill(`location: ${at.elsewhere}/v1`)),
  'escapes in the Location': () => redirect(307, 'https://evil.example/\x1b[31m\x9b31m'),
  'created, and where is nonsense': () => answer('', 201, 'location: /v1/jobs/99999999999999999999'),
  'see other, and where is a job': () => redirect(303, '/v1/jobs/12'),
};

/** Some of these statuses must not have a body, but get one here. */
const STATUSES: Readonly<Record<string, Mode>> = Object.fromEntries([
  ...[0, 99, 103, 199, 204, 205, 206, 226, 299, 300, 304, 305, 306, 400, 401, 402, 403, 404, 405, 408].map(
    statusMode,
  ),
  ...[409, 410, 413, 415, 418, 421, 422, 423, 429, 431, 451, 499, 500, 501, 502, 503, 504, 511, 599].map(
    statusMode,
  ),
  ...[600, 999, 1000, 20000].map(statusMode),
  ['100 without end', (at: Hostility) => endless(at, '', 'HTTP/1.1 100 Continue\r\n\r\n')],
  [
    '102 a thousand times',
    ({ good }: Hostility) => 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(1000) + ok(good),
  ],
  ['101', () => head('HTTP/1.1 101 Switching Protocols', 'upgrade: websocket', 'connection: upgrade')],
] as const);

function statusMode(status: number): readonly [string, Mode] {
  return [`status ${status}`, ({ good }) => answer(good, String(status).padStart(3, '0'))];
}

const LISTS: Readonly<Record<string, Mode>> = {
  'a cursor that comes again': (at) => page(at, 'again'),
  'two cursors in turn': (at) => page(at, at.request.cursor === 'a' ? 'b' : 'a'),
  'cursors without end': (at) => page(at, `c${pages++}`),
  'empty pages without end': (at) => page(at, `c${pages++}`, []),
  'new jobs without end': (at) =>
    page(at, `c${pages++}`, [{ ...JSON.parse(at.good).items?.[0], id: 1000 + pages }]),
  'a cursor of a megabyte': (at) => page(at, 'x'.repeat(1_000_000)),
  'an empty cursor': (at) => page(at, ''),
};

const WAITS: Readonly<Record<string, Mode>> = Object.fromEntries(
  [429, 503].flatMap((status) =>
    retryAfter.map((after) => [
      `${status} and Retry-After: ${after}`,
      () =>
        answer(
          '{"error":{"code":"RATE_LIMITED","message":"slow"}}',
          status,
          `retry-after: ${after}`,
          'date: never',
        ),
    ]),
  ),
);

const named = <From>(prefix: string, all: Readonly<Record<string, From>>, mode: (from: From) => Mode) =>
  Object.fromEntries(Object.entries(all).map(([name, from]) => [`${prefix}${name}`, mode(from)]));

export const MODES: Readonly<Record<string, Mode>> = {
  ...WIRE,
  ...REDIRECTS,
  ...STATUSES,
  ...LISTS,
  ...WAITS,
  ...named(
    'body: ',
    BODIES,
    (body) =>
      ({ good }) =>
        answer(body(good)),
  ),
  ...named('422: ', ERRORS, (error) => () => answer(error, 422)),
  ...named('500: ', ERRORS, (error) => () => answer(error, 500)),
};
