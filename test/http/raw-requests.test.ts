import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type Duplex, PassThrough } from 'node:stream';
import { TextResponse } from '../../src/contract/http-messages.ts';
import { readAtMost } from '../../src/engine/http/body.ts';
import { type Served, type ServeTimes, serveEngine } from '../../src/engine/serve.ts';
import { LargeBodies, Turns, UnsentAnswers } from '../../src/engine/server/limits.ts';
import { type EngineUnderTest, engineFor } from '../engine/engine-under-test.ts';
import { COMPLETE } from '../engine/listing.ts';
import { answersIn, conversation, errorCodeOf, opened } from './raw.ts';
import refused from './raw-requests.json' with { type: 'json' };

const HOST = '127.0.0.1';
const GET = 'GET /v1/jobs/1 HTTP/1.1\r\nHost: h\r\n\r\n';
const LAST = 'GET /v1/jobs/1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';
const AHEAD = 30;

type Fetch = EngineUnderTest['fetch'];

function servers() {
  const open: Served[] = [];
  afterEach(async () => {
    for (const served of open.splice(0)) await served.close();
  });
  return async (fetch: Fetch, times: Partial<ServeTimes> = {}): Promise<number> => {
    const served = await serveEngine({
      engine: { fetch },
      host: HOST,
      port: 0,
      times: { drainMs: 1, ...times },
    });
    open.push(served);
    return served.port;
  };
}

describe('requests that are sent ahead on a connection', () => {
  const serve = servers();

  it('are all answered, in their order, to a client that reads', async () => {
    let count = 0;
    const port = await serve(async () => Response.json(++count));
    const answers = answersIn(await conversation(port, GET.repeat(AHEAD) + LAST));
    const inOrder = Array.from({ length: AHEAD + 1 }, (_, index) => index + 1);
    const actual = answers.map(({ body }) => Number(body));
    assert.deepEqual(actual, inOrder);
  });

  it('are worked on one at a time', async () => {
    let [atWork, mostAtWork] = [0, 0];
    const port = await serve(async () => {
      mostAtWork = Math.max(mostAtWork, ++atWork);
      await new Promise(setImmediate);
      atWork--;
      return Response.json(1);
    });
    await conversation(port, GET.repeat(AHEAD) + LAST);
    assert.equal(mostAtWork, 1);
  });

  it('are not worked on while nobody reads, and such a connection is closed', async () => {
    let worked = 0;
    const body = 'x'.repeat(4 * 1024 * 1024);
    const serverSide = channel('http.server.request.start');
    const begun = new Promise<Socket>((resolve) => {
      const note = (message: unknown) => resolve((message as { socket: Socket }).socket);
      serverSide.subscribe(note);
    });
    const fetch = async () => {
      worked++;
      return new TextResponse(body, 200, {});
    };
    const socket = await opened(await serve(fetch, { unreadMs: 100 }));
    socket.write(GET.repeat(AHEAD));
    await once(await begun, 'close');
    socket.destroy();
    assert.ok(worked < 10, `${worked} answers were made, more than the system's own buffers take`);
  });

  it('are not taken in any number: the connection is closed', async () => {
    const port = await serve(() => new Promise(() => {}));
    assert.equal(await conversation(port, GET.repeat(1_000)), '');
  });

  it('are answered also where the client half-closes after them', async () => {
    const port = await serve(async () => Response.json(1));
    assert.equal(answersIn(await conversation(port, GET.repeat(5), { end: true })).length, 5);
  });
});

describe('reads that wait for each other', () => {
  it('let sockets and timers have a turn after a long one', async () => {
    let now = 0;
    const turns = new Turns(1, () => (now += 10));
    const order: string[] = [];
    setImmediate(() => order.push('socket'));
    await Promise.all([1, 2, 3].map((read) => turns.run('one', async () => order.push(`read ${read}`))));
    assert.deepEqual(order, ['read 1', 'socket', 'read 2', 'read 3']);
  });

  it('of one client come in turn with those of others, however many it sends', async () => {
    const turns = new Turns(1);
    const order: string[] = [];
    const read = (name: string) => turns.run(name.slice(0, 1), async () => order.push(name));
    await Promise.all(['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map(read));
    assert.deepEqual(order, ['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
  });
});

describe('answers that clients do not read', () => {
  const MEBIBYTE = 1024 * 1024;
  let now = 0;
  let destroyed: string[] = [];
  let unsent = new UnsentAnswers();
  const connection = (name: string) => {
    const destroy = () => {
      destroyed.push(name);
      unsent.set(stub, 0);
    };
    const stub = { destroy } as unknown as Duplex;
    return stub;
  };
  beforeEach(() => {
    now = 0;
    destroyed = [];
    unsent = new UnsentAnswers(() => now);
  });

  it('are bounded over all connections: the client that has read nothing for the longest is cut off', () => {
    for (let at = 0; at < 24; at++) unsent.set(connection(`${at}`), MEBIBYTE);
    assert.deepEqual(destroyed, []);
    for (const name of ['new', 'newer']) unsent.set(connection(name), MEBIBYTE);
    assert.deepEqual(destroyed, ['0', '1']);
  });

  it('are waited for as long as their clients read, and memory is not short', () => {
    const [stalled, reading] = [connection('stalled'), connection('reading')];
    unsent.set(reading, 8 * MEBIBYTE);
    unsent.set(stalled, 8 * MEBIBYTE);
    now = 200;
    unsent.set(reading, 7 * MEBIBYTE);
    assert.deepEqual(destroyed, []);
    now = 300;
    unsent.set(connection('new'), 1);
    assert.deepEqual(destroyed, ['stalled']);
  });
});

describe('large bodies', () => {
  const serve = servers();
  const MEBIBYTE = 1024 * 1024;
  const begun = (bytes: number) =>
    `POST /v1/jobs HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: ${bytes}\r\n\r\n`;

  function counted(bodies: LargeBodies, sender: string) {
    let read = 0;
    const incoming = Object.assign(new PassThrough(), { headers: {} });
    const end = bodies.count(incoming as never, sender, assert.fail);
    incoming.on('data', (piece: Buffer) => {
      read += piece.length;
    });
    return { incoming, end, read: () => read };
  }
  async function settled(): Promise<void> {
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  }

  it('are read as far as memory goes, and on to their ends as it becomes free', async () => {
    const bodies = new LargeBodies(3 * MEBIBYTE, 60_000);
    const many = Array.from({ length: 8 }, () => counted(bodies, 'one'));
    for (let at = 0; at < 16; at++)
      for (const { incoming } of many) incoming.write(Buffer.alloc(MEBIBYTE / 16));
    for (const [done, { end }] of many.entries()) {
      await settled();
      const read = many.reduce((sum, body) => sum + body.read(), 0);
      assert.ok(read >= (done + 1) * MEBIBYTE && read <= (done + 5) * MEBIBYTE, `${read} of ${done}`);
      end();
    }
  });

  it('go on to the end of the only one of a client as soon as one of many of another ends', async () => {
    const bodies = new LargeBodies(3 * MEBIBYTE, 60_000);
    const many = Array.from({ length: 4 }, () => counted(bodies, 'one'));
    for (const { incoming } of many) incoming.write(Buffer.alloc(MEBIBYTE));
    const only = counted(bodies, 'other');
    for (let at = 0; at < 48; at++) only.incoming.write(Buffer.alloc(MEBIBYTE / 16));
    await settled();
    assert.ok(only.read() < 2 * MEBIBYTE);
    many.at(-1)?.end();
    await settled();
    assert.equal(only.read(), 3 * MEBIBYTE);
  });

  it('that come slowly are answered 408 once others wait for memory, and not before', async () => {
    const fetch: Fetch = async (request) => Response.json((await readAtMost(request, MEBIBYTE)).length);
    const port = await serve(fetch, { largeBodyMs: 50 });
    const unfinished = begun(MEBIBYTE) + 'x'.repeat(MEBIBYTE - 1);
    const whole = begun(MEBIBYTE) + 'x'.repeat(MEBIBYTE);
    const slow = Array.from({ length: 14 }, () => conversation(port, unfinished));
    const answers = answersIn((await Promise.race(slow)) + (await conversation(port, whole)));
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(statuses, [408, 200]);
    assert.equal(errorCodeOf(answers[0] as never), 'REQUEST_TIMEOUT');
  });
});

describe('a raw request that is refused', () => {
  const serve = servers();
  const engine = engineFor('all tests');

  const tooLong = {
    name: 'with an address of 20 KB',
    sent: `GET /v1/jobs?q=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: h\r\n\r\n`,
    status: 431,
    code: 'HEADERS_TOO_LARGE',
  };
  for (const { name, sent, status, code } of [...refused, tooLong])
    it(`is answered in the envelope, and the connection closed: one ${name}`, async () => {
      const port = await serve(engine.fetch, status === 408 ? { headersMs: 50 } : {});
      const [answer, ...more] = answersIn(await conversation(port, sent));
      assert.ok(answer);
      assert.deepEqual([answer.status, errorCodeOf(answer), more], [status, code, []]);
      assert.equal(answer.headers.get('connection'), 'close');
    });

  it('is answered after those before it', async () => {
    const port = await serve(engine.fetch);
    const answers = answersIn(await conversation(port, `${GET + GET}hello\r\n\r\n`));
    assert.deepEqual(answers.map(errorCodeOf), ['INVALID_SERVICE_KEY', 'INVALID_SERVICE_KEY', 'BAD_REQUEST']);
  });

  const post = (headers: string) =>
    `POST /v1/jobs HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nConnection: close\r\n${headers}\r\n`;
  const key = () => `Authorization: Bearer ${engine.key}\r\n`;
  const unread = () =>
    [
      ['Content-Length: 500\r\n', 401],
      [`${key()}Content-Length: 9000000\r\n`, 413],
    ] as const;

  it('is answered in the envelope where its chunks are broken', async () => {
    const port = await serve(engine.fetch);
    const sent = `${post(`${key()}Transfer-Encoding: chunked\r\n`)}zz\r\n`;
    const [answer] = answersIn(await conversation(port, sent));
    assert.deepEqual([answer?.status, errorCodeOf(answer as never)], [400, 'BAD_REQUEST']);
  });

  it('early, for its key or its length, is answered without its body', async () => {
    const port = await serve(engine.fetch);
    for (const [headers, status] of unread()) {
      const sent = post(headers).replace('Connection: close\r\n', '');
      const [answer] = answersIn(await conversation(port, sent));
      assert.deepEqual([answer?.status, answer?.headers.get('connection')], [status, 'close']);
    }
  });

  it('is told to continue only after its key and its length have passed', async () => {
    const port = await serve(engine.fetch);
    const expect = 'Expect: 100-continue\r\n';
    for (const [headers, status] of unread()) {
      const received = await conversation(port, post(expect + headers));
      assert.match(received, new RegExp(`^HTTP/1.1 ${status} `));
    }
    const body = JSON.stringify(COMPLETE);
    const socket = await opened(port);
    socket.write(post(`${expect}${key()}Content-Length: ${Buffer.byteLength(body)}\r\n`));
    assert.equal(String((await once(socket, 'data'))[0]), 'HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 201 /);
    socket.destroy();
  });
});
