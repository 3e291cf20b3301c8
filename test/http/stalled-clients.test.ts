import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Served, serveEngine } from '../../src/engine/serve.ts';
import { behindProxies } from '../../src/engine/server/proxies.ts';
import { PDF } from '../engine/applications/documents.ts';
import { engineFor } from '../engine/engine-under-test.ts';
import { COMPLETE } from '../engine/listing.ts';

const HOST = '127.0.0.1';
const ELSEWHERE = '127.0.0.2';
const MEBIBYTE = 1024 * 1024;
const STALLED = 20;
/** A request that waits until stalled clients time out exceeds the time of its test. */
const NEVER_MS = 3_600_000;
const TIMES = { headersMs: NEVER_MS, requestMs: NEVER_MS, unreadMs: NEVER_MS, drainMs: 1 };

describe('clients that stall', () => {
  const engine = engineFor('all tests');
  const sockets: Socket[] = [];
  let served: Served;
  let onBegun = () => {};
  async function serve(options: Partial<Parameters<typeof serveEngine>[0]> = {}): Promise<void> {
    const fetch: typeof engine.fetch = (request, origin) => {
      onBegun();
      return engine.fetch(request, origin);
    };
    served = await serveEngine({ engine: { fetch }, host: HOST, port: 0, times: TIMES, ...options });
  }
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await served.close();
  });

  async function opened(localAddress: string, sent: string | Buffer = ''): Promise<Socket> {
    const socket = connect({ port: served.port, host: HOST, localAddress }).on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(sent);
    return socket;
  }

  async function status(localAddress: string, sent: string | Buffer): Promise<number> {
    const answer = await text(await opened(localAddress, sent)).catch(() => '');
    return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
  }

  const post = (path: string, headers: string, bytes: number) =>
    `POST ${path} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n${headers}Content-Length: ${bytes}\r\n\r\n`;
  const upload = (headers = '') => post('/candidate/v1/files?name=cv.pdf', headers, 5 * MEBIBYTE);
  const file = Buffer.concat([PDF, Buffer.alloc(5 * MEBIBYTE - PDF.length)]);
  const create = (key = engine.key) => {
    const body = JSON.stringify({ ...COMPLETE, description: 'x'.repeat(20_000) });
    const headers = `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
    return post('/v1/jobs', headers, body.length) + body;
  };

  async function stall(sent: string): Promise<void> {
    let begun = 0;
    const all = new Promise<void>((resolve) => {
      onBegun = () => ++begun === STALLED && resolve();
    });
    await Promise.all(Array.from({ length: STALLED }, () => opened(HOST, sent)));
    await all;
  }

  async function areCreated(...requests: Parameters<typeof status>[]): Promise<void> {
    for (const request of requests) assert.equal(await status(...request), 201);
  }

  for (const arrived of [1, MEBIBYTE])
    it(`hold up no partner, and no upload from another address: 20 stalled uploads of ${arrived} bytes`, async () => {
      await serve({ findClient: behindProxies([{ address: HOST, prefix: 32 }]) });
      await stall(upload('X-Forwarded-For: 203.0.113.1\r\n') + 'x'.repeat(arrived));
      const proxied = Buffer.concat([Buffer.from(upload('X-Forwarded-For: 203.0.113.2\r\n')), file]);
      await areCreated([HOST, create()], [HOST, proxied], [ELSEWHERE, create()]);
    });

  it('hold up no other company with a key of their own', async () => {
    await serve();
    const { id } = await engine.operator.companies.create('Other');
    const { key } = await engine.operator.keys.create(id);
    await stall(create(key).replace(/Length: \d+/, `Length: ${MEBIBYTE}`) + 'x'.repeat(900_000));
    await areCreated([HOST, create()]);
  });

  for (const [what, sent] of Object.entries({ 'say nothing': '', 'stall amid an upload': upload() }))
    it(`can take no connection from another address: those that ${what}`, async () => {
      await serve({ connectionsMax: STALLED });
      await Promise.all(Array.from({ length: STALLED + 5 }, () => opened(HOST, sent)));
      await areCreated([ELSEWHERE, create()]);
      assert.ok(served.connections() <= STALLED);
    });
});
