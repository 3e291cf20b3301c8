import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { PartnerError } from '../../src/contract/errors.ts';
import { issueLink } from '../../src/engine/dashboard/sessions.ts';
import { type Served, serveEngine } from '../../src/engine/serve.ts';
import type { AnsweredRequest } from '../../src/engine/server/observer.ts';
import { fixture } from '../fixture.ts';
import { candidateOf } from './applications/candidate.ts';
import { PDF } from './applications/documents.ts';
import { somebodyElse } from './applications/somebody.ts';
import { engineFor } from './engine-under-test.ts';

const HOST = '127.0.0.1';
const OF_NODE = [globalThis.Request, globalThis.Response];

describe('the engine behind a socket', () => {
  const engine = engineFor('all tests');
  const served = fixture('all tests', () => serveEngine({ engine, host: HOST, port: 0 }));

  it('lets candidates look at jobs, send a file and apply', async () => {
    const url = `http://${HOST}:${served.port}/candidate/v1`;
    const { id } = await candidateOf(engine).publish();
    const list = (await (await fetch(`${url}/jobs`)).json()) as { items: unknown[] };
    assert.equal(list.items.length, 1);
    const sent = await fetch(`${url}/files?name=cv.pdf`, { method: 'POST', body: PDF });
    const { fileId } = (await sent.json()) as { fileId: string };
    assert.equal((await engine.store.read.files.sumWaiting(HOST)).files, 1, 'counted by its address');
    const applied = await fetch(`${url}/jobs/${id}/applications`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(somebodyElse()({ resume: fileId })),
    });
    assert.equal(applied.status, 201);
  });

  it('answers 413 to a file of 6 MiB, said ahead or not, instead of dropping the connection', async () => {
    const body = Buffer.concat([PDF, Buffer.alloc(6 * 1024 * 1024)]);
    for (const init of [{ body }, { body: new Blob([body]).stream(), duplex: 'half' }] as RequestInit[]) {
      const answer = await fetch(`http://${HOST}:${served.port}/candidate/v1/files`, {
        method: 'POST',
        ...init,
      });
      assert.equal(answer.status, 413);
      assert.match(await answer.text(), /larger than 5 MiB/);
    }
  });

  it('shows the dashboard under no forged Host, also in a request line that names another', async () => {
    const { path } = await issueLink(engine.store, engine.companyId, engine.now);
    const signedIn = await fetch(`http://${HOST}:${served.port}${path}`, { redirect: 'manual' });
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0];
    assert.equal(signedIn.status, 303);
    for (const [line, host] of [
      ['GET /dashboard HTTP/1.1', 'attacker.example'],
      ['GET /dashboard HTTP/1.1', `attacker.example:${served.port}`],
      [`GET http://attacker.example:${served.port}/dashboard HTTP/1.1`, HOST],
      [`GET http://${HOST}:${served.port}/dashboard HTTP/1.1`, 'attacker.example'],
    ] as const) {
      const socket = connect(served.port, HOST);
      socket.write(`${line}\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`);
      assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 421 /, `${line} Host: ${host}`);
      socket.destroy();
    }
  });

  it('answers probes and requests for a single job even if all lists are queued', async () => {
    let begun = 0;
    const list = () => new Promise<never>(() => ++begun);
    const stuck = await serveEngine({
      engine: {
        fetch: async ({ url }) => (/healthz$|\d$/.test(url) ? Response.json('ok') : list()),
      },
      host: HOST,
      port: 0,
      times: { drainMs: 1 },
    });
    const url = `http://${HOST}:${stuck.port}`;
    const reads = Array.from({ length: 10 }, () => fetch(`${url}/v1/jobs`).catch(() => undefined));
    while (begun < 4) await new Promise(setImmediate);
    for (const path of ['/healthz', '/v1/jobs/7']) assert.equal((await fetch(url + path)).status, 200);
    assert.equal(begun, 4);
    await stuck.close();
    await Promise.all(reads);
  });

  it('leaves the Request and Response of the process alone', () =>
    assert.deepEqual([globalThis.Request, globalThis.Response], OF_NODE));

  it('answers in the envelope to a Host that is none', async () => {
    const socket = connect(served.port, HOST);
    socket.write('GET /v1/jobs HTTP/1.1\r\nHost: no host\r\nConnection: close\r\n\r\n');
    assert.match(String((await once(socket, 'data'))[0]), /VALIDATION_FAILED/);
    socket.destroy();
  });

  it('says so where the address is taken, or is none of this machine', async () => {
    const isUsage = (reason: RegExp) => (error: unknown) =>
      error instanceof PartnerError && error.code === 'USAGE' && reason.test(error.message);
    await assert.rejects(
      serveEngine({ engine, host: HOST, port: served.port }),
      isUsage(/the port is already in use/),
    );
    await assert.rejects(
      serveEngine({ engine, host: '192.0.2.1', port: 0 }),
      isUsage(/doesn't have that address/),
    );
  });
});

describe('observers of the served engine', () => {
  const engine = engineFor('all tests');
  const answered: AnsweredRequest[] = [];
  let begun = 0;
  let served: Served;
  before(async () => {
    const observer = {
      noteRequest: () => void begun++,
      noteAnswer: (one: AnsweredRequest) => void answered.push(one),
    };
    const findClient = () => ({ remoteAddress: '203.0.113.9', protocol: 'https' as const, isProxied: true });
    served = await serveEngine({ engine, host: HOST, port: 0, observers: [observer], findClient });
  });
  after(() => served.close());
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const { status, headers: told } = await fetch(`http://${HOST}:${served.port}${path}`, { headers });
    return { status, requestId: told.get('x-request-id'), answered: answered.at(-1), begun };
  };

  it('are told of each request who sent what and how it ended, and never the key or the query', async () => {
    const { status, answered, begun } = await ask('/v1/jobs?limit=1', {
      authorization: `Bearer ${engine.key}`,
    });
    const { durationMs, requestId, keyId, ...told } = answered as AnsweredRequest;
    assert.deepEqual(told, {
      method: 'GET',
      path: '/v1/jobs',
      operation: 'listJobs',
      companyId: engine.companyId,
      remoteAddress: '203.0.113.9',
      status,
    });
    assert.deepEqual([begun, (await engine.operator.keys.list())[0]?.id], [1, keyId]);
    assert.ok(durationMs > 0 && requestId !== '');
  });

  it('see the request id of the answer: the one that was sent, or else a new one', async () => {
    const sent = await ask('/healthz', { 'x-request-id': 'from.a-proxy_1' });
    assert.deepEqual([sent.requestId, sent.answered?.requestId], ['from.a-proxy_1', 'from.a-proxy_1']);
    for (const bad of ['has spaces', 'x'.repeat(65)]) {
      const { requestId, answered } = await ask('/candidate/v1/jobs', { 'x-request-id': bad });
      assert.match(requestId ?? '', /^[0-9a-f-]{36}$/);
      assert.deepEqual([answered?.requestId, answered?.operation], [requestId, 'candidate']);
    }
  });
});

describe('closing the served engine', () => {
  /** The engine's one response waits until the test releases it. */
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

  it('ends at once where it is asked for, with what is in flight', async () => {
    const { engine, started } = heldEngine();
    const served = await serveEngine({ engine, host: HOST, port: 0 });
    const answered = ask(served.port, new Agent());
    await started;
    const closed = served.close();
    served.destroy();
    await Promise.all([assert.rejects(answered, /hang up/), closed]);
  });

  it('does not wait for good: what is still in flight after the bound is cut off', async () => {
    const { engine, started } = heldEngine();
    const served = await serveEngine({ engine, host: HOST, port: 0, times: { drainMs: 1 } });
    const answered = ask(served.port, new Agent());
    await started;
    await Promise.all([assert.rejects(answered, /hang up/), served.close()]);
  });
});
