import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import type { ClientOptions } from '../../src/client/client.ts';
import { fixture } from '../fixture.ts';
import { failureOf, clientOn as scriptedClient } from './client-under-test.ts';
import { connectionsOfEachTest, type RealServer } from './real-server.ts';

const JOB = '{"id":12,"status":"DRAFT"}';
const asJson = { 'content-type': 'application/json' };

describe('over the network', () => {
  const { servers, newNetwork } = connectionsOfEachTest();
  const network = fixture('each test', newNetwork);

  const clientOf = (baseUrl: string, overrides: Partial<ClientOptions> = {}) =>
    scriptedClient(network.send, {
      baseUrl,
      monotonicNow: () => performance.now(),
      random: () => 0,
      ...overrides,
    });
  const clientAt = ({ origin }: RealServer, overrides: Partial<ClientOptions> = {}) =>
    clientOf(`${origin}/v1`, overrides);

  it('twenty calls one after the other use one connection', async () => {
    const job = JSON.stringify({ id: 12, title: 'Welder' });
    const server = await servers.listen((_, __, response) => response.writeHead(200, asJson).end(job));
    const { client } = clientAt(server);
    for (let call = 0; call < 10; call++) {
      await client.getJob(12);
      await client.createJob({ title: 'Welder' });
    }
    assert.equal(server.requests.length, 20);
    assert.equal(server.connections, 1);
    assert.deepEqual(JSON.parse(server.requests[1]?.body ?? ''), { title: 'Welder' });
    assert.equal(server.requests[1]?.headers['content-length'], '18');
  });

  it('a batch runs side by side, and its calls share their stop without a warning', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    const waiting: (() => void)[] = [];
    const server = await servers.listen((_, __, response) => {
      waiting.push(() => response.writeHead(200, asJson).end(JOB));
      if (waiting.length === 40) for (const answer of waiting) answer();
    });
    const { client } = clientAt(server, { signal: new AbortController().signal });
    await Promise.all(Array.from({ length: 40 }, () => client.getJob(12)));
    await new Promise(setImmediate);
    process.off('warning', onWarning);
    assert.deepEqual(warnings, []);
  });

  it('an answer of more encodings than fetch decodes is unreadable, and ends no process', async () => {
    for (const length of [500_000, 0]) {
      const server = await servers.listen((_, __, response) => {
        response.writeHead(200, { ...asJson, 'content-encoding': Array(6).fill('gzip').join(', ') });
        if (length > 0) response.end('x'.repeat(length));
        else response.flushHeaders();
      });
      const { client } = clientAt(server);
      const error = await failureOf(client.getJob(12), 'ANSWER_UNREADABLE');
      assert.match(error.message, /6 content encodings \(at most 5 are supported\)$/);
      await failureOf(client.updateJob(12, {}), 'ANSWER_UNREADABLE');
      assert.equal((await failureOf(client.createJob({}), 'OUTCOME_UNKNOWN')).exit, 8);
      assert.equal(server.requests.length, 3);
    }
    await network.close();
  });

  it('a gzipped answer is read as what it holds', async () => {
    const server = await servers.listen((_, __, response) =>
      response.writeHead(200, { ...asJson, 'content-encoding': 'gzip' }).end(gzipSync(JOB)),
    );
    assert.deepEqual(await clientAt(server).client.getJob(12), { id: 12, status: 'DRAFT' });
  });

  it('a create whose answer breaks off is sent again only where that answer showed that the key is honoured', async () => {
    const breaksOff = (headers: Record<string, string>) =>
      servers.listen((_, request, response) => {
        response.writeHead(201, { ...asJson, ...headers, 'content-length': 100 });
        response.write('{"id":', () => request.socket.destroy());
      });
    const bare = await breaksOff({});
    await failureOf(clientAt(bare).client.createJob({}), 'OUTCOME_UNKNOWN');
    assert.equal(bare.requests.length, 1);

    const honouring = await breaksOff({ 'idempotency-status': 'stored' });
    await failureOf(clientAt(honouring).client.createJob({}), 'OUTCOME_UNKNOWN');
    assert.equal(honouring.requests.length, 4);
    assert.equal(new Set(honouring.requests.map(({ headers }) => headers['idempotency-key'])).size, 1);
  });

  it('https to a server that speaks http is UNREACHABLE, and the hint says so', async () => {
    const server = await servers.listen((_, __, response) => response.end());
    const { client, waitsMs } = clientOf(`https://127.0.0.1:${server.port}/v1`);
    const error = await failureOf(client.createJob({}), 'UNREACHABLE');
    assert.match(error.message, /the server doesn't use HTTPS/);
    assert.match(error.hint ?? '', /http:\/\//);
    // The connection failed before anything was sent, so retrying a create is safe.
    assert.equal(waitsMs.length, 3);
  });

  describe('a deadline', () => {
    it('ends a call whose body does not end', async () => {
      const server = await servers.listen((_, __, response) =>
        response.writeHead(200, asJson).write('{"id":'),
      );
      await failureOf(clientAt(server, { timeoutMs: 40 }).client.getJob(12), 'TIMED_OUT');
    });

    it('holds also where whoever answers heeds no signal', async () => {
      const silent = { timeoutMs: 20, monotonicNow: () => performance.now() };
      await failureOf(scriptedClient(() => new Promise(() => {}), silent).client.getJob(12), 'TIMED_OUT');
    });
  });

  describe('a stop by the caller', () => {
    it('ends a wait', async () => {
      const stop = new AbortController();
      const server = await servers.listen((_, __, response) => response.writeHead(503).end());
      const { client } = clientAt(server, {
        signal: stop.signal,
        sleep: () => new Promise(() => stop.abort()),
      });
      await failureOf(client.getJob(12), 'INTERRUPTED');
      assert.equal(server.requests.length, 1);
    });

    it('can be of one search alone, while the others go on', async () => {
      const stop = new AbortController();
      const server = await servers.listen(({ url }, _, response) => {
        if (url?.includes('slow')) stop.abort();
        else response.writeHead(200, asJson).end('{"items":[]}');
      });
      const { client } = clientAt(server);
      const overtaken = failureOf(client.searchLocations({ q: 'slow' }, stop.signal), 'INTERRUPTED');
      const next = client.searchLocations({ q: 'next' }, new AbortController().signal);
      await overtaken;
      assert.deepEqual(await next, []);
    });

    it('that came before the call sends nothing, not even to an engine that heeds no signal', async () => {
      let calls = 0;
      const send = async () => {
        calls++;
        return Response.json({ id: 12 });
      };
      const { client } = scriptedClient(send, { signal: AbortSignal.abort() });
      await failureOf(client.createJob({}), 'INTERRUPTED');
      assert.equal(calls, 0);
    });
  });
});
