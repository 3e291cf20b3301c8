import assert from 'node:assert/strict';
import { type Served, serveEngine } from '../../src/engine/serve.ts';
import { type EngineUnderTest, engineFor } from '../engine/engine-under-test.ts';
import { answersIn, conversation, errorCodeOf } from '../http/raw.ts';

const HOST = '127.0.0.1';
/** A smuggled request inside the body of another; the server must never respond to it. */
const HIDDEN = 'GET /v1/hidden HTTP/1.1\r\nHost: h\r\n\r\n';
const BODY = '{"title":"Cook"}';

interface RawCase {
  readonly name: string;
  /** `KEY` is replaced with a partner key. */
  readonly sent: string;
  readonly end?: boolean;
  readonly statuses?: readonly number[];
}

const AUTHORIZED = 'Host: h\r\nAuthorization: Bearer KEY\r\n';
const GET = `GET /v1/jobs?limit=1 HTTP/1.1\r\n${AUTHORIZED}\r\n`;
const post = (headers: string, body: string) =>
  `POST /v1/jobs HTTP/1.1\r\n${AUTHORIZED}Content-Type: application/json\r\n${headers}\r\n${body}`;
const POST = post(`Content-Length: ${BODY.length}\r\n`, BODY);
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** Content lengths that are right, wrong, duplicated or missing. */
const FRAMINGS: readonly (readonly [name: string, sent: string, status?: number])[] = [
  ['whole', POST, 201],
  ['in one chunk', post(CHUNKED, `${chunk(BODY)}0\r\n\r\n`), 201],
  ['a chunk for each character', post(CHUNKED, `${[...BODY].map(chunk).join('')}0\r\n\r\n`), 201],
  ['chunks with extensions', post(CHUNKED, `10;a=b\r\n${BODY}\r\n0;c\r\n\r\n`), 201],
  ['chunks with a trailer', post(CHUNKED, `${chunk(BODY)}0\r\nX-After: a\r\n\r\n`), 201],
  ['a trailer that is a length', post(CHUNKED, `${chunk(BODY)}0\r\nContent-Length: 5\r\n\r\n`)],
  ['a chunk size that is none', post(CHUNKED, `zz\r\n${BODY}\r\n0\r\n\r\n`), 400],
  ['a negative chunk size', post(CHUNKED, `-1\r\n${BODY}\r\n0\r\n\r\n`), 400],
  ['a chunk size past 64 bits', post(CHUNKED, `${'f'.repeat(17)}\r\n${BODY}\r\n`), 400],
  ['a chunk shorter than its size', post(CHUNKED, `ff\r\n${BODY}\r\n0\r\n\r\n`)],
  ['chunks that end in bare LF', post(CHUNKED, `10\n${BODY}\n0\n\n`), 400],
  ['chunk extensions of 20 KB', post(CHUNKED, `10;${'a'.repeat(20_000)}\r\n${BODY}\r\n0\r\n\r\n`), 413],
  ['chunks without an end', post(CHUNKED, chunk(BODY))],
  ['a length and chunks', post(`Content-Length: 4\r\n${CHUNKED}`, `${chunk(BODY)}0\r\n\r\n`), 400],
  ['two lengths that differ', post('Content-Length: 16\r\nContent-Length: 4\r\n', BODY), 400],
  ['two lengths that are equal', post('Content-Length: 16\r\nContent-Length: 16\r\n', BODY), 400],
  ['an empty length', post('Content-Length:\r\n', BODY)],
  ['a length that is too large', post('Content-Length: 999999999\r\n', BODY), 413],
  ['a length that is too long by one', post('Content-Length: 17\r\n', BODY)],
  ['a space before the colon of a length', post('Content-Length : 16\r\n', BODY), 400],
  ['an encoding that is unknown', post('Transfer-Encoding: gzip\r\n', BODY), 400],
  ['an encoding before chunks', post('Transfer-Encoding: gzip, chunked\r\n', `${chunk(BODY)}0\r\n\r\n`)],
  ['a vertical tab before chunked', post('Transfer-Encoding: \x0bchunked\r\n', BODY), 400],
  ['two encodings', post(`${CHUNKED}Transfer-Encoding: identity\r\n`, `${chunk(BODY)}0\r\n\r\n`)],
];

const line = (text: string) => `${text}\r\n${AUTHORIZED}\r\n`;

const REQUEST_LINES: readonly (readonly [name: string, sent: string, status?: number])[] = [
  ['an empty one', '\r\n\r\n\r\n\r\n'],
  ['empty lines before it', `\r\n\r\n${GET}`, 200],
  ['no version', line('GET /v1/jobs'), 400],
  ['HTTP/1.0', line('GET /v1/jobs HTTP/1.0'), 200],
  ['two spaces', line('GET  /v1/jobs HTTP/1.1')],
  ['a space in the address', line('GET /v1/jo bs HTTP/1.1'), 400],
  ['an escape sequence', line('GET /v1/\x1b[31m HTTP/1.1')],
  ['the absolute form', line('GET http://h/v1/jobs HTTP/1.1'), 200],
  ['the absolute form of another host', line('GET http://other.example/v1/jobs HTTP/1.1')],
  ['dots', line('GET /v1/../../etc/passwd HTTP/1.1')],
  ['a backslash', line('GET /v1\\jobs HTTP/1.1')],
  ['an asterisk', line('GET * HTTP/1.1')],
  ['an address of 15 KB', line(`GET /v1/${'a'.repeat(15_000)} HTTP/1.1`), 404],
  ['an address of 70 KB', line(`GET /v1/${'a'.repeat(70_000)} HTTP/1.1`), 431],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['bare CR', GET.replaceAll('\r\n', '\r')],
  ['bare LF', GET.replaceAll('\r\n', '\n')],
  ...['HEAD', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'TRACE', 'QUERY', 'PROPFIND', 'PURGE', 'M-SEARCH'].map(
    (method): [string, string] => [method, line(`${method} /v1/jobs HTTP/1.1`)],
  ),
  ...['get', 'GETX', 'FOO', 'G\x00T', ''].map((method): [string, string, number] => [
    `the method ${JSON.stringify(method)}`,
    line(`${method} /v1/jobs HTTP/1.1`),
    400,
  ]),
  ['CONNECT', `CONNECT h:443 HTTP/1.1\r\n${AUTHORIZED}\r\n${HIDDEN}`, 405],
];

const headed = (headers: string) => `GET /v1/jobs?limit=1 HTTP/1.1\r\n${AUTHORIZED}${headers}\r\n`;

const HEADERS: readonly (readonly [name: string, sent: string, status?: number])[] = [
  ['no colon', headed('X\r\n'), 400],
  ['a first line that is folded', `GET /v1/jobs HTTP/1.1\r\n X: a\r\n${AUTHORIZED}\r\n`],
  ['bytes that are no ASCII', headed('X: \xff\xfe\r\n'), 200],
  ['a value of 17 KB', headed(`X: ${'a'.repeat(17_000)}\r\n`), 431],
  ['1,500 of them', headed('a:b\r\n'.repeat(1_500))],
  ['10,000 of them', headed('a:b\r\n'.repeat(10_000)), 431],
  ['a Host that is none', 'GET /v1/jobs HTTP/1.1\r\nHost: a b\r\n\r\n', 422],
  ['a Host with a port that is none', 'GET /v1/jobs HTTP/1.1\r\nHost: a:99999\r\n\r\n'],
  ['two keys', headed('Authorization: Bearer other\r\n'), 401],
  ['an Expect without a body', headed('Expect: 100-continue\r\n'), 200],
  ['an Expect, twice', post('Expect: 100-continue\r\nExpect: tea\r\nContent-Length: 16\r\n', BODY)],
  ['an upgrade to a websocket', headed('Connection: Upgrade\r\nUpgrade: websocket\r\n')],
  [
    'an upgrade to h2c',
    headed('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAM\r\n'),
  ],
  ['Connection: close, then more', `${headed('Connection: close\r\n')}${HIDDEN}`, 200],
  [
    'a body of a GET',
    `GET /v1/jobs?limit=1 HTTP/1.1\r\n${AUTHORIZED}Content-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    200,
  ],
];

const MIXES: readonly (readonly [name: string, sent: string, statuses: readonly number[]])[] = [
  ['a hundred reads', GET.repeat(100), Array<number>(100).fill(200)],
  ['reads and writes', (GET + POST).repeat(5), [200, 201, 200, 201, 200, 201, 200, 201, 200, 201]],
  ['a read, broken chunks, a read', `${GET}${post(CHUNKED, 'zz\r\n')}${GET}`, [200, 400]],
  ['a write, half a write', POST + POST.slice(0, -4), [201, 408]],
  ['a refused body, a read', `${post('Content-Length: 2000000\r\n', 'x'.repeat(2_000_000))}${GET}`, [413]],
  ['HTTP/1.0 in between', `${GET}${line('GET /v1/jobs HTTP/1.0')}${HIDDEN}`, [200, 200]],
  ['a body that hides a request', post(`Content-Length: ${HIDDEN.length}\r\n`, HIDDEN), [422]],
  ['a chunk that hides a request', post(CHUNKED, `${chunk(HIDDEN)}0\r\n\r\n`), [422]],
];

const named = (what: string, cases: readonly (readonly [string, string, number?])[]) =>
  cases.map(([name, sent, status]) => ({
    name: `${what}: ${name}`,
    sent,
    ...(status === undefined ? {} : { statuses: [status] }),
  }));

const truncated = (what: string, whole: string, every: number) =>
  Array.from({ length: Math.floor(whole.length / every) }, (_, index) => ({
    name: `${what}, cut after ${(index + 1) * every} bytes and half-closed`,
    sent: whole.slice(0, (index + 1) * every),
    end: true,
  }));

const CASES: readonly RawCase[] = [
  ...named('a request line', REQUEST_LINES),
  ...named('a header', HEADERS),
  ...named('a body', FRAMINGS),
  ...FRAMINGS.map(([name, sent]) => ({
    name: `a body after a read, before a hidden one: ${name}`,
    sent: GET + sent + HIDDEN,
  })),
  ...FRAMINGS.map(([name, sent]) => ({ name: `a body, then half-closed: ${name}`, sent, end: true })),
  ...MIXES.map(([name, sent, statuses]) => ({ name: `requests sent ahead: ${name}`, sent, statuses })),
  ...truncated('a write', POST, 11),
  ...truncated('a write in chunks', post(CHUNKED, `${chunk(BODY)}0\r\n\r\n`), 17),
];

describe('raw requests of every kind', function () {
  this.timeout(20_000);
  const asked: string[] = [];
  const engine = engineFor('all tests');
  let served: Served;
  before(async () => {
    const fetch: EngineUnderTest['fetch'] = (request, arrival) => {
      asked.push(request.url);
      return engine.fetch(request, arrival);
    };
    const times = { headersMs: 150, requestMs: 300, idleMs: 100, lingerMs: 50, drainMs: 1 };
    served = await serveEngine({ engine: { fetch }, host: HOST, port: 0, times });
  });
  after(() => served.close());

  const withKey = (text: string) => Buffer.from(text.replaceAll('KEY', engine.key), 'latin1');

  for (const { name, sent, end = false, statuses } of CASES)
    it(`end in enveloped answers or a closed connection, and the next client is served: ${name}`, async () => {
      asked.length = 0;
      const methods = /^HEAD /.test(sent) ? ['HEAD'] : [];
      const answers = answersIn(await conversation(served.port, withKey(sent), { end }), methods);
      for (const [index, answer] of answers.entries()) {
        if (answer.status >= 400 && methods[index] !== 'HEAD') errorCodeOf(answer);
      }
      const answered = answers.map(({ status }) => status);
      if (statuses !== undefined) assert.deepEqual(answered, statuses);
      if (!name.includes('before a hidden one')) assert.doesNotMatch(asked.join(), /hidden/);
      assert.deepEqual([engine.bugs, answered.filter((status) => status >= 500)], [[], []]);
      const [next] = answersIn(await conversation(served.port, withKey(GET), { end: true }));
      assert.equal(next?.status, 200);
    });

  it('are read the same however they are cut into packets', async () => {
    for (const size of [1, 2, 3, 7, 16, 64, 1_000]) {
      const bytes = withKey(GET + POST);
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const answers = answersIn(await conversation(served.port, pieces, { end: true }));
      const statuses = answers.map(({ status }) => status);
      assert.deepEqual(statuses, [200, 201]);
    }
  });
});
