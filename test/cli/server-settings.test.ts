import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { realServers } from '../client/real-server.ts';
import { newHome } from './partner.ts';
import { KEY } from './servers.ts';

const at = (name: string) => fileURLToPath(new URL(`../client/certificates/${name}`, import.meta.url));

describe('how a server is reached', () => {
  const servers = realServers('each test');
  const tls = createServer(
    { cert: readFileSync(at('localhost.cert.pem')), key: readFileSync(at('localhost.key.pem')) },
    ({ url }, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(url?.startsWith('/v1/loc') ? '{"items":[]}' : '{"id":12,"title":"Baker"}'),
  );
  let baseUrl = '';
  before(async () => {
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    baseUrl = `https://127.0.0.1:${(tls.address() as AddressInfo).port}/v1`;
  });
  after(() => tls.close());

  it('is a CA file of PARTNER_CA_FILE, or the one that a login keeps in its profile, by its whole path', async () => {
    const home = await newHome();
    const login = `auth login acme --with-key --base-url ${baseUrl}`;
    const untrusted = await home.run(login, { stdin: KEY });
    assert.equal(untrusted.code, 8);
    assert.match(untrusted.stderr, /isn't signed by an authority that this machine trusts/);
    const env = { PARTNER_CA_FILE: at('localhost.cert.pem') };
    const get = `jobs get 12 --base-url ${baseUrl}`;
    assert.equal((await home.run(get, { env: { ...env, PARTNER_API_KEY: KEY } })).code, 0);
    const file = relative(home.path, at('localhost.cert.pem'));
    const kept = await home.run(`${login} --ca-file ${file}`, { stdin: KEY, cwd: home.path });
    assert.equal(kept.code, 0, kept.stderr);
    assert.match((await home.run('jobs get 12', { cwd: '/' })).stdout, /Baker/);
    assert.match((await home.run('doctor --remote')).stdout, /HTTPS with a trusted certificate \(CA file /);
    assert.equal((await home.run(`${login} --ca-file `, { stdin: KEY })).code, 8);
  });

  it('is the proxy that a login keeps, and the time that a call may take', async () => {
    const home = await newHome();
    const proxy = await servers.listen(({ url }, _, response) => {
      if (url?.includes('/jobs/')) return;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[]}');
    });
    const login = 'auth login acme --base-url http://api.example/v1 --allow-insecure --with-key';
    const reached = `--proxy ${proxy.origin.replace('://', '://ann:secret@')} --default-timeout 300ms --timeout 60s`;
    const run = await home.run(`${login} ${reached}`, { stdin: KEY });
    assert.equal(run.code, 0, run.stderr);
    assert.ok(proxy.requests.every(({ url }) => url?.startsWith('http://api.example/v1/')));
    const [profile] = (await home.must<{ items: { proxy: string }[] }>('auth list')).items;
    assert.equal(profile?.proxy, `${proxy.origin.replace('://', '://ann:***@')}/`);
    const slow = await home.run('jobs get 12');
    assert.match(slow.stderr, /timed out after 300 ms/);
    const env = { PARTNER_TIMEOUT: '200ms' };
    assert.match((await home.run('jobs get 12', { env })).stderr, /timed out after 200 ms/);
    const flag = await home.run('jobs get 12 --timeout 100ms', { env });
    assert.match(flag.stderr, /timed out after 100 ms/);
  });
});
