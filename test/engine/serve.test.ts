import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { PartnerError } from '../../src/contract/errors.ts';
import { type Served, serveEngine } from '../../src/engine/serve.ts';
import { type EngineUnderTest, engineOn } from './engine-under-test.ts';
import { COMPLETE } from './listing.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const HOST = '127.0.0.1';
const OF_NODE = [globalThis.Request, globalThis.Response];

describe('the engine behind a socket', () => {
  const path = temporaryDirectory();
  let engine: EngineUnderTest;
  let served: Served;
  before(async () => {
    engine = await engineOn(path('served.db'));
    served = await serveEngine({ engine, host: HOST, port: 0 });
  });
  after(async () => {
    await served.close();
    await engine.store.close();
  });

  const headers = () => ({ authorization: `Bearer ${engine.key}`, 'content-type': 'application/json' });

  it('tells a base URL that works as it stands', async () => {
    assert.equal(served.url, `http://${HOST}:${served.port}/v1`);
    const body = JSON.stringify(COMPLETE);
    const created = await fetch(`${served.url}/jobs`, { method: 'POST', headers: headers(), body });
    assert.equal(created.status, 201);
    const job = (await created.json()) as { id: number };
    const read = await fetch(`${served.url}/jobs/${job.id}`, { headers: headers() });
    assert.deepEqual(await read.json(), job);
  });

  it('leaves the Request and Response of the process alone', () => {
    assert.deepEqual([globalThis.Request, globalThis.Response], OF_NODE);
  });

  it('answers 413 to a body far over the limit, instead of dropping the connection', async () => {
    const body = Buffer.alloc(20 * 1024 * 1024, 0x20);
    const answer = await fetch(`${served.url}/jobs`, { method: 'POST', headers: headers(), body });
    assert.equal(answer.status, 413);
    assert.match(await answer.text(), /PAYLOAD_TOO_LARGE/);
  });

  it('answers 413 to a body far over the limit whose length was not said', async () => {
    const chunks = new Blob([Buffer.alloc(4 * 1024 * 1024, 0x20)]).stream();
    const init = { method: 'POST', headers: headers(), body: chunks, duplex: 'half' };
    const answer = await fetch(`${served.url}/jobs`, init as RequestInit);
    assert.equal(answer.status, 413);
  });

  it('answers in the envelope to a Host that is none', async () => {
    const socket = connect(served.port, HOST);
    socket.write('GET /v1/jobs HTTP/1.1\r\nHost: no host\r\nConnection: close\r\n\r\n');
    assert.match(String((await once(socket, 'data'))[0]), /VALIDATION_FAILED/);
    socket.destroy();
  });

  it('says so where the address is taken, or is none of this machine', async () => {
    const isUsage = (reason: RegExp) => (error: unknown) =>
      error instanceof PartnerError && error.code === 'USAGE' && reason.test(error.message);
    await assert.rejects(serveEngine({ engine, host: HOST, port: served.port }), isUsage(/another program/));
    await assert.rejects(
      serveEngine({ engine, host: '192.0.2.1', port: 0 }),
      isUsage(/does not have that address/),
    );
  });
});

describe('closing the served engine', () => {
  /** An engine whose one answer the test lets out. */
  function heldEngine() {
    const held = { started: () => {}, answer: () => {} };
    const started = new Promise<void>((resolve) => {
      held.started = resolve;
    });
    const released = new Promise<void>((resolve) => {
      held.answer = resolve;
    });
    const fetch = async () => {
      held.started();
      await released;
      return new Response('"done"', { headers: { 'content-type': 'application/json' } });
    };
    return { engine: { fetch }, started, answer: () => held.answer() };
  }

  async function ask(port: number, agent: Agent): Promise<string> {
    const [response] = await once(
      httpRequest({ port, host: HOST, path: '/v1/jobs', agent }).end(),
      'response',
    );
    let text = '';
    for await (const chunk of response) text += chunk;
    return text;
  }

  async function opened(port: number): Promise<Socket> {
    const socket = connect(port, HOST);
    await once(socket, 'connect');
    return socket;
  }

  it('lets the requests in flight end, and ends idle and unused connections at once', async () => {
    const { engine, started, answer } = heldEngine();
    const served = await serveEngine({ engine, host: HOST, port: 0 });
    const unused = await opened(served.port);
    const unusedEnded = once(unused.resume(), 'end');
    const agent = new Agent({ keepAlive: true });
    const answered = ask(served.port, agent);
    await started;
    const closed = served.close();
    await unusedEnded;
    answer();
    assert.equal(await answered, '"done"');
    await closed;
    agent.destroy();
  });

  it('takes no new connection while it waits', async () => {
    const { engine, started, answer } = heldEngine();
    const served = await serveEngine({ engine, host: HOST, port: 0 });
    const agent = new Agent();
    const answered = ask(served.port, agent);
    await started;
    const closed = served.close();
    await assert.rejects(opened(served.port), /ECONNREFUSED/);
    answer();
    await Promise.all([answered, closed]);
  });

  it('does not wait for good: what is still in flight after the bound is cut off', async () => {
    const { engine, started } = heldEngine();
    const served = await serveEngine({ engine, host: HOST, port: 0, times: { drainMs: 1 } });
    const answered = ask(served.port, new Agent());
    await started;
    await Promise.all([assert.rejects(answered, /hang up/), served.close()]);
  });

  it('frees the port', async () => {
    const { engine } = heldEngine();
    const served = await serveEngine({ engine, host: HOST, port: 0 });
    await served.close();
    const next = createServer().listen(served.port, HOST);
    await once(next, 'listening');
    next.close();
  });
});
