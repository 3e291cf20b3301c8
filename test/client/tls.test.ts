import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NetworkOptions } from '../../src/client/network.ts';
import { tempDirectory } from '../temp-directory.ts';
import { clientOn, failureOf } from './client-under-test.ts';
import { connectionsOfEachTest } from './real-server.ts';

/** Self-signed for localhost, 127.0.0.1 and api.example, valid until 2120. */
const CERTIFICATE = fileURLToPath(new URL('certificates/localhost.cert.pem', import.meta.url));
const PRIVATE_KEY = fileURLToPath(new URL('certificates/localhost.key.pem', import.meta.url));

describe('a server whose certificate is signed by nobody that Node knows', () => {
  const temp = tempDirectory();
  const { servers, newNetwork } = connectionsOfEachTest();
  const server = createServer(
    { cert: readFileSync(CERTIFICATE), key: readFileSync(PRIVATE_KEY) },
    (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":12}'),
  );
  let port = 0;
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  after(() => server.close());

  const clientWith = (options: Partial<NetworkOptions>, baseUrl = `https://127.0.0.1:${port}/v1`) =>
    clientOn(newNetwork(options).send, { baseUrl }).client;

  it('is refused with what to set, and nothing is sent', async () => {
    const error = await failureOf(clientWith({}).getJob(12), 'UNREACHABLE');
    assert.match(error.message, /its certificate isn't signed by an authority that this machine trusts/);
    assert.match(error.hint ?? '', /PARTNER_CA_FILE/);
  });

  it('is trusted where a CA file names its authority, also among others', async () => {
    assert.deepEqual(await clientWith({ caFile: CERTIFICATE }).getJob(12), { id: 12 });
    const bundle = join(temp(), 'bundle.pem');
    writeFileSync(bundle, `# ours\n${readFileSync(CERTIFICATE, 'utf8').repeat(2)}`);
    assert.deepEqual(await clientWith({ caFile: bundle }).getJob(12), { id: 12 });
  });

  it('is trusted through a proxy of the profile as well, which goes before HTTPS_PROXY', async () => {
    const proxy = await servers.listen(
      (_, __, response) => response.end(),
      (_, socket) => {
        const through = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
        through.on('error', () => {});
        socket.on('error', () => {});
        socket.pipe(through).pipe(socket);
      },
    );
    const env = { HTTPS_PROXY: 'http://127.0.0.1:9' };
    const through = clientWith({ caFile: CERTIFICATE, proxy: proxy.origin, env }, 'https://api.example/v1');
    assert.deepEqual(await through.getJob(12), { id: 12 });
    assert.deepEqual(proxy.tunnels, ['api.example:443']);
  });

  for (const [what, content, why] of [
    ['is not there', undefined, /can't be read \(ENOENT\)/],
    ['holds no certificate', 'hello', /it has no PEM certificate/],
    [
      'holds a damaged one',
      '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
      /a certificate in it is damaged/,
    ],
  ] as const)
    it(`is exit 2 where the CA file ${what}: never less trust than was asked for, nor more`, async () => {
      const caFile = join(temp(), 'ca.pem');
      if (content !== undefined) writeFileSync(caFile, content);
      const error = await failureOf(clientWith({ caFile }).getJob(12), 'USAGE');
      assert.match(error.message, why);
      assert.ok(error.message.includes(caFile));
    });
});
