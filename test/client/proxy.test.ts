import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { withVariable } from '../environment.ts';
import { clientOn, failureOf } from './client-under-test.ts';
import { connectionsOfEachTest, freePort, type RealServer } from './real-server.ts';

/** `0.0.0.0` reaches this machine but isn't a loopback name, so it works both with and without a proxy. */
const OUTSIDE = '0.0.0.0';

describe('a proxy', () => {
  const { servers, newNetwork } = connectionsOfEachTest();
  let api: RealServer;
  let proxy: RealServer;

  beforeEach(async () => {
    api = await servers.listen((_, __, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":12}'),
    );
    proxy = await servers.listen(
      (arrived, _, response) => {
        const { pathname } = new URL(arrived.url ?? '');
        fetch(`${api.origin}${pathname}`).then(async (answer) =>
          response.writeHead(200, { 'content-type': 'application/json' }).end(await answer.text()),
        );
      },
      (_, socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'),
    );
  });

  const clientWith = (env: Record<string, string>, baseUrl = `http://${OUTSIDE}:${api.port}/v1`) =>
    clientOn(newNetwork({ allowInsecure: true, env }).send, { baseUrl }).client;

  for (const name of ['HTTP_PROXY', 'http_proxy'])
    it(`is used for http where ${name} names it, by the name of the host alone`, async () => {
      const client = clientWith({ [name]: proxy.origin }, 'http://api.example/v1');
      assert.deepEqual(await client.getJob(12), { id: 12 });
      assert.equal(proxy.requests[0]?.url, 'http://api.example/v1/jobs/12');
      assert.equal(proxy.requests[0]?.headers.host, 'api.example');
    });

  it('is asked for a tunnel for https where HTTPS_PROXY or https_proxy names it; its refusal is told', async () => {
    for (const name of ['HTTPS_PROXY', 'https_proxy']) {
      const client = clientWith({ [name]: proxy.origin }, 'https://api.example/v1');
      const error = await failureOf(client.createJob({}), 'UNREACHABLE');
      assert.deepEqual([...new Set(proxy.tunnels)], ['api.example:443']);
      assert.match(error.message, /can't reach api\.example:443: the proxy refused the connection/);
      assert.equal(proxy.requests.length, 0);
    }
  });

  it('carries https through its tunnel to the server itself', async () => {
    const tunnel = await servers.listen(
      (_, __, response) => response.end(),
      (_, socket) => {
        const through = connect(api.port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
        socket.pipe(through).pipe(socket);
      },
    );
    const client = clientWith({ HTTPS_PROXY: tunnel.origin }, 'https://api.example/v1');
    const error = await failureOf(client.getJob(12), 'UNREACHABLE');
    // The server behind the tunnel uses plain HTTP, so this error proves that the client used TLS.
    assert.match(error.message, /the server doesn't use HTTPS/);
    assert.equal(tunnel.tunnels[0], 'api.example:443');
  });

  for (const [name, hosts] of [
    ['NO_PROXY', OUTSIDE],
    ['no_proxy', `example.com, ${OUTSIDE}`],
    ['NO_PROXY', '*'],
  ] as const)
    it(`is gone around where ${name} is ${JSON.stringify(hosts)}`, async () => {
      assert.deepEqual(await clientWith({ HTTP_PROXY: proxy.origin, [name]: hosts }).getJob(12), { id: 12 });
      assert.equal(proxy.connections, 0);
      assert.equal(api.requests.length, 1);
    });

  it('is never used for this machine: it would carry the key over the network', async () => {
    const env = { HTTP_PROXY: proxy.origin, HTTPS_PROXY: proxy.origin };
    for (const host of ['127.0.0.1', 'localhost'])
      await clientWith(env, `http://${host}:${api.port}/v1`).getJob(12);
    assert.equal(proxy.connections, 0);
  });

  it("is not taken from the process where another environment is given, not even for NO_PROXY's part", async () => {
    await withVariable('HTTP_PROXY', proxy.origin, () => clientWith({}).getJob(12));
    assert.equal(proxy.connections, 0);
  });

  it('that is not there is named, with its port', async () => {
    const port = await freePort();
    const client = clientWith({ HTTP_PROXY: `http://127.0.0.1:${port}` }, 'http://api.example/v1');
    const error = await failureOf(client.getJob(12), 'UNREACHABLE');
    assert.match(error.message, new RegExp(`can't reach api\\.example:80: .*tried 127\\.0\\.0\\.1:${port}`));
    assert.match(error.hint ?? '', /NO_PROXY/);
  });

  it('that wants a password says so', async () => {
    const strict = await servers.listen((_, __, response) => response.writeHead(407).end());
    const client = clientWith({ HTTP_PROXY: strict.origin }, 'http://api.example/v1');
    const error = await failureOf(client.createJob({}), 'UNREACHABLE');
    assert.match(error.message, /the proxy requires a user name and password/);
  });

  it('is an address of http or https, or else exit 2 that names the variable', async () => {
    for (const notOne of ['ftp://proxy.example', 'http://', '%%']) {
      const error = await failureOf(clientWith({ HTTPS_PROXY: notOne }).getJob(12), 'USAGE');
      assert.match(error.message, /^HTTPS_PROXY/);
    }
  });
});
