import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { type EngineUnderTest, engineOn } from '../engine/engine-under-test.ts';
import { COMPLETE } from '../engine/listing.ts';
import { temporaryDirectory } from '../engine/temporary-directory.ts';
import { type Lie, type LyingServer, startLyingServer } from './lying-server.ts';

/** What a request got on the wire; `text` is undefined where the body broke off. */
interface Got {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly text: string | undefined;
  /** The statuses of the answers before the answer. */
  readonly informational: readonly number[];
}

describe('the server that lies', () => {
  const path = temporaryDirectory();
  let engine: EngineUnderTest;
  let server: LyingServer;
  let agent: Agent;
  before(async () => {
    engine = await engineOn(path('lying.db'));
  });
  beforeEach(() => {
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
  });
  afterEach(async () => {
    agent.destroy();
    await server.close();
  });
  after(() => engine.store.close());

  async function lying(...kinds: Lie[]): Promise<void> {
    server = await startLyingServer({ engine, seed: 7, lieRate: 1, kinds });
  }

  async function ask(method: string, of: string, body?: object, key?: string): Promise<Got> {
    const headers = {
      authorization: `Bearer ${engine.key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    const request = httpRequest(`${server.url}${of}`, { method, headers, agent });
    const informational: number[] = [];
    request.on('information', ({ statusCode }) => informational.push(statusCode));
    request.end(body && JSON.stringify(body));
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    let text: string | undefined = '';
    try {
      for await (const chunk of answer) text += chunk;
    } catch {
      text = undefined;
    }
    const { statusCode: status, headers: told, rawHeaders } = answer;
    return { status, headers: told, rawHeaders, text, informational };
  }

  const create = (title: string, key?: string) =>
    ask('POST', '/jobs', { ...COMPLETE, title, opportunityId: title }, key);

  /** The jobs that the engine itself has under the title. */
  async function made(title: string): Promise<{ id: number; title: string }[]> {
    return (await engine.call('GET', `/jobs?opportunityId=${title}`)).body.items;
  }

  const told = () => Object.fromEntries(Object.entries(server.log.lies).filter(([, times]) => times > 0));

  it('gives an earlier answer to a read, once it is no longer true', async () => {
    await lying('stale-read');
    const { body: job } = await engine.call('POST', '/jobs', { ...COMPLETE, title: 'old' });
    const first = await ask('GET', `/jobs/${job.id}`);
    assert.deepEqual([JSON.parse(first.text ?? '').title, told()], ['old', {}]);
    await engine.call('PATCH', `/jobs/${job.id}`, { title: 'new' });
    const stale = await ask('GET', `/jobs/${job.id}`);
    assert.deepEqual([stale.text, told()], [first.text, { 'stale-read': 1 }]);
  });

  it('does not find a job that is there, once', async () => {
    await lying('missing-once');
    const { body: job } = await engine.call('POST', '/jobs', COMPLETE);
    const missing = await ask('GET', `/jobs/${job.id}`);
    assert.deepEqual([missing.status, missing.text], [404, 'Not Found\n']);
    assert.equal((await ask('GET', `/jobs/${job.id}`)).status, 200);
    assert.deepEqual(told(), { 'missing-once': 1 });
  });

  const NOT_DONE: readonly (readonly [lie: Lie, status: number, header: string, value: string])[] = [
    ['login-page', 200, 'content-type', 'text/html'],
    ['retry-after-negative', 429, 'retry-after', '-1'],
    ['retry-after-past', 429, 'retry-after', 'Wed, 21 Oct 2015 07:28:00 GMT'],
    ['retry-after-zero', 429, 'retry-after', '0'],
  ];
  for (const [lie, status, header, value] of NOT_DONE) {
    it(`answers ${status} (${lie}) instead of doing the work`, async () => {
      await lying(lie);
      const got = await create(lie);
      assert.deepEqual([got.status, got.headers[header], told()], [status, value, { [lie]: 1 }]);
      assert.deepEqual(await made(lie), []);
    });
  }

  const DONE: readonly (readonly [lie: Lie, status: number, text: string])[] = [
    ['created-empty', 201, ''],
    ['no-content', 204, ''],
    ['accepted', 202, '{}'],
  ];
  for (const [lie, status, text] of DONE) {
    it(`does the work once and answers ${status} (${lie})`, async () => {
      await lying(lie);
      const got = await create(lie, lie);
      assert.deepEqual([got.status, got.text, told()], [status, text, { [lie]: 1 }]);
      assert.deepEqual([got.headers.location, got.headers['idempotency-status']], [undefined, undefined]);
      assert.equal((await made(lie)).length, 1);
      await create(lie, lie);
      assert.equal((await made(lie)).length, 1, 'the key is passed on');
      assert.equal((await ask('POST', '/jobs', { title: 7 })).status, 422, 'a refusal is told as it is');
    });
  }

  it('sends a header twice', async () => {
    await lying('header-twice');
    const { rawHeaders } = await create('twice', 'twice');
    assert.equal(rawHeaders.filter((name) => name.toLowerCase() === 'idempotency-status').length, 2);
    assert.deepEqual(told(), { 'header-twice': 1 });
  });

  it('spells Idempotency-Status oddly, where there is one', async () => {
    await lying('odd-case');
    const { rawHeaders } = await create('odd', 'odd');
    assert.equal(rawHeaders[rawHeaders.indexOf('iDEMPOTENCY-sTATUS') + 1], 'STORED');
    await create('even');
    assert.deepEqual(told(), { 'odd-case': 1 });
  });

  it('closes a connection after its answer, without having said so', async () => {
    await lying('close-after');
    const opened = new Set<unknown>();
    for (const title of ['closed-1', 'closed-2']) {
      const { status, headers } = await create(title);
      assert.deepEqual([status, headers.connection], [201, 'keep-alive']);
      const [socket] = Object.values(agent.freeSockets).flat();
      opened.add(socket);
      if (socket !== undefined && !socket.destroyed) await once(socket, 'close');
    }
    assert.equal(opened.size, 2);
    assert.deepEqual(told(), { 'close-after': 2 });
  });

  it('breaks a chunked body off in its middle, the work done', async () => {
    await lying('broken-chunks');
    const { status, headers, text } = await create('broken');
    assert.deepEqual([status, headers['transfer-encoding'], text], [201, 'chunked', undefined]);
    assert.equal((await made('broken')).length, 1);
  });

  it('calls gzip what is none', async () => {
    await lying('no-gzip');
    const { headers, text = '' } = await create('plain');
    assert.deepEqual([headers['content-encoding'], JSON.parse(text).title], ['gzip', 'plain']);
  });

  it('sends 102 first', async () => {
    await lying('informational-first');
    const { status, informational } = await create('informed');
    assert.deepEqual([status, informational, told()], [201, [102], { 'informational-first': 1 }]);
  });

  it('tells no lie at a rate of 0, and the same ones again under the same seed', async () => {
    const lies: string[] = [];
    for (const [seed, lieRate] of [
      [7, 0],
      [3, 0.5],
      [3, 0.5],
    ] as const) {
      await server?.close();
      agent.destroy();
      server = await startLyingServer({ engine, seed, lieRate });
      for (let n = 0; n < 40; n++) await ask('POST', '/jobs', COMPLETE).catch(() => undefined);
      lies.push(JSON.stringify(told()));
    }
    assert.equal(lies[0], '{}');
    assert.notEqual(lies[1], '{}');
    assert.equal(lies[2], lies[1]);
  });
});
