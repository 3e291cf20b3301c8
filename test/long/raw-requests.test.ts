import assert from 'node:assert/strict';
import { type Served, serveEngine } from '../../src/engine/serve.ts';
import { type EngineUnderTest, engineFor } from '../engine/engine-under-test.ts';
import { answersIn, conversation, errorCodeOf } from '../http/raw.ts';
import tables from './raw-requests.json' with { type: 'json' };

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
const HEAD = `POST /v1/jobs HTTP/1.1\r\n${AUTHORIZED}Content-Type: application/json\r\n`;
const POST = `${HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY}`;
const PARTS: Readonly<Record<string, string>> = {
  ...{ get: GET, post: POST, hidden: HIDDEN, head: HEAD, key: AUTHORIZED },
};

/** In the tables, `<get>` is one of the parts above, and `<17000×a>` repeats a text. */
const textOf = (written: string) =>
  written
    .replace(/<(\d+)×(<\w+>|[^<>]*)>/g, (_, times, text: string) => text.repeat(Number(times)))
    .replace(/<(\w+)>/g, (_, part: string) => PARTS[part] ?? assert.fail(part));

type Row = readonly [name: string, sent: string, statuses?: number | readonly number[]];
const { lines, headers, bodies, ahead } = Object.fromEntries(
  Object.entries(tables).map(([what, rows]) => [
    what,
    (rows as unknown as Row[]).map(([name, sent, ...statuses]): Row => [name, textOf(sent), ...statuses]),
  ]),
) as Record<keyof typeof tables, Row[]>;

const named = (what: string, rows: readonly Row[]) =>
  rows.map(([name, sent, statuses]) => ({
    name: `${what}: ${name}`,
    sent,
    ...(statuses === undefined ? {} : { statuses: [statuses].flat() }),
  }));

const truncated = (what: string, whole: string, every: number) =>
  Array.from({ length: Math.floor(whole.length / every) }, (_, index) => ({
    name: `${what}, cut after ${(index + 1) * every} bytes and half-closed`,
    sent: whole.slice(0, (index + 1) * every),
    end: true,
  }));

const CASES: readonly RawCase[] = [
  ...named('a request line', lines),
  ...named('a header', headers),
  ...named('a body', bodies),
  ...bodies.map(([name, sent]) => ({
    name: `a body after a read, before a hidden one: ${name}`,
    sent: GET + sent + HIDDEN,
  })),
  ...bodies.map(([name, sent]) => ({ name: `a body, then half-closed: ${name}`, sent, end: true })),
  ...named('requests sent ahead', ahead),
  ...truncated('a write', POST, 11),
  ...truncated(
    'a write in chunks',
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n10\r\n${BODY}\r\n0\r\n\r\n`,
    17,
  ),
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
