import assert from 'node:assert/strict';
import dns from 'node:dns';
import dnsPromises from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { gzipSync } from 'node:zlib';
import { openPublicReader } from '../../src/client/public-document.ts';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { withVariable } from '../environment.ts';
import { failureOf } from './client-under-test.ts';
import publicDocuments from './public-documents.json' with { type: 'json' };
import { RealServers } from './real-server.ts';

const NOT_PUBLIC = /redirects to http:.* isn't a public internet address/;

describe('reading a public document', () => {
  const servers = new RealServers();
  const readers: ReturnType<typeof openPublicReader>[] = [];

  afterEach(async () => {
    await Promise.all(readers.splice(0).map((reader) => reader.close()));
    await servers.close();
  });

  const readerOf = (timeoutMs = 300_000) => {
    const reader = openPublicReader({ env: {}, userAgent: 'partner/1', timeoutMs });
    readers.push(reader);
    return reader;
  };

  it('is one GET that names us and sends neither a key nor a cookie, also where there is a key', async () =>
    await withVariable('PARTNER_API_KEY', 'sk_ext_test_1234567890abcdef', async () => {
      const server = await servers.listen((_, __, response) =>
        response
          .writeHead(200, { 'set-cookie': 'a=b', 'content-type': 'application/json' })
          .end('{"jobs":[]}'),
      );
      const reader = readerOf();
      const document = await reader.read(`${server.origin}/board`);
      assert.deepEqual([String(document.bytes), document.contentType], ['{"jobs":[]}', 'application/json']);
      await reader.read(`${server.origin}/board`);
      for (const { method, body, headers } of server.requests) {
        assert.deepEqual([method, body], ['GET', '']);
        const { accept, 'user-agent': agent, cookie, authorization } = headers;
        assert.deepEqual([agent, cookie, authorization], ['partner/1', undefined, undefined]);
        assert.match(accept ?? '', /^application\/json, application\/xml/);
        assert.doesNotMatch(JSON.stringify(headers), /sk_ext/);
      }
    }));

  it('follows five redirects, also to another origin', async () => {
    const other = await servers.listen((_, __, response) => response.end('here'));
    const server = await servers.listen(({ url }, _, response) => {
      const hop = Number(url?.slice(1));
      response.writeHead(302, { location: hop < 4 ? `/${hop + 1}` : `${other.origin}/end` }).end();
    });
    const document = await readerOf().read(`${server.origin}/0`);
    assert.equal(String(document.bytes), 'here');
  });

  for (const [what, location, message] of [
    ['a loop', '/again', /redirects more than 5 times$/],
    [
      'a file',
      'file:///etc/passwd',
      /a URL with another scheme, a user name or a password\. Such redirects aren't/,
    ],
    ['a password', 'http://u:p@127.0.0.1/', /a URL with another scheme, a user name or a password/],
    ...'0.0.0.0 169.254.169.254 10.1.2.3 0xc0a80001 [::ffff:127.0.0.1] [fe80::1] [64:ff9b::10.0.0.1]'
      .split(' ')
      .map((host) => [host, `http://${host}/`, NOT_PUBLIC] as const),
  ] as const)
    it(`refuses a redirect to ${what}`, async () => {
      const server = await servers.listen((_, __, response) => response.writeHead(302, { location }).end());
      const error = await failureOf(readerOf().read(`${server.origin}/board`), 'ANSWER_UNREADABLE');
      assert.match(error.message, message);
    });

  it('never connects to this machine for a name that a redirect chose, also if the name changes what it stands for', async () => {
    const inside = await servers.listen((_, __, response) => response.end('secret'));
    const { port } = new URL(inside.origin);
    // As a proxy, this server stands in for a public page; the redirect's host is reached without it.
    const server = await servers.listen((_, __, response) =>
      response.writeHead(302, { location: `http://rebound.test:${port}/` }).end(),
    );
    const env = { HTTP_PROXY: server.origin, NO_PROXY: 'rebound.test' };
    const [system, systemPromises] = [dns.lookup, dnsPromises.lookup];
    try {
      Object.assign(dnsPromises, { lookup: async () => [{ address: '1.1.1.1', family: 4 }] });
      Object.assign(dns, {
        lookup: (_: string, __: object, done: (error: null, found: object[]) => void) =>
          done(null, [{ address: '127.0.0.1', family: 4 }]),
      });
      syncBuiltinESMExports();
      const reader = openPublicReader({ env, userAgent: 'partner/1', timeoutMs: 10_000 });
      readers.push(reader);
      const error = await failureOf(reader.read('http://public.test/board'), 'ANSWER_UNREADABLE');
      assert.match(error.message, /leads to rebound\.test: 127\.0\.0\.1 isn't a public internet address/);
      assert.equal(inside.requests.length, 0);
    } finally {
      Object.assign(dnsPromises, { lookup: systemPromises });
      Object.assign(dns, { lookup: system });
      syncBuiltinESMExports();
    }
  });

  it('stops at 32 MiB as they are after decompression, of a small gzip too', async () => {
    // 200 MiB: a gzip file may have several members.
    const bomb = Buffer.concat(Array(25).fill(gzipSync(Buffer.alloc(8 * 1024 * 1024, ' '))));
    const server = await servers.listen((_, __, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const heapBefore = process.memoryUsage().rss;
    const error = await failureOf(readerOf().read(`${server.origin}/bomb`), 'ANSWER_UNREADABLE');
    assert.match(error.message, /sent more than 32 MiB$/);
    assert.ok(bomb.length < 1024 * 1024 && process.memoryUsage().rss - heapBefore < 180 * 1024 * 1024);
  });

  it('ends at its deadline where an answer drips, or a server asks to wait beyond it', async () => {
    const dripping = await servers.listen((_, __, response) => {
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(drip));
    });
    await failureOf(readerOf(60).read(`${dripping.origin}/board`), 'TIMED_OUT');
    const busy = await servers.listen((_, __, response) =>
      response.writeHead(429, { 'retry-after': '60' }).end(),
    );
    await failureOf(readerOf(50_000).read(`${busy.origin}/board`), 'RATE_LIMITED');
    assert.equal(busy.requests.length, 1);
  });

  it('asks again after 429, a failure of the server and a lost connection, three times in all', async () => {
    const server = await servers.listen((_, request, response) => {
      if (server.requests.length === 1) request.socket.destroy();
      else if (server.requests.length === 2) response.writeHead(429, { 'retry-after': '0' }).end();
      else response.end('[]');
    });
    assert.equal(String((await readerOf().read(server.origin)).bytes), '[]');
    const failing = await servers.listen((_, __, response) => response.writeHead(503).end());
    const error = await failureOf(readerOf().read(failing.origin), 'SERVER_FAILED');
    assert.deepEqual([error.status, failing.requests.length], [503, 3]);
  });

  for (const [status, code] of publicDocuments.statuses as [number, ErrorCode][])
    it(`tells ${status} plainly, after one request`, async () => {
      const server = await servers.listen((_, __, response) => response.writeHead(status).end('no'));
      const error = await failureOf(readerOf().read(`${server.origin}/x`), code);
      assert.ok(error.message.startsWith(`${server.origin}/x returned status ${status}`));
      assert.equal(server.requests.length, 1);
      assert.doesNotMatch(`${error.message} ${error.hint}`, /key|--base-url/);
    });

  it('takes no address but http and https without a password', async () => {
    for (const address of publicDocuments.refused) {
      const error = await failureOf(readerOf().read(address), 'USAGE');
      assert.doesNotMatch(error.message, /u:p@/);
    }
  });
});
