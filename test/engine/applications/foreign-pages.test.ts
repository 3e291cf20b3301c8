import assert from 'node:assert/strict';
import { engineFor } from '../engine-under-test.ts';
import { PDF } from './documents.ts';
import origins from './origins.json' with { type: 'json' };

const LOOPBACK = '127.0.0.1';

describe('the candidate side of an engine on this machine alone', () => {
  const engine = engineFor('all tests');

  const send = (host: string, localAddress: string, headers: Record<string, string> = {}) =>
    engine.fetch(
      new Request(`http://${host}/candidate/v1/files`, { method: 'POST', body: PDF as BodyInit, headers }),
      { localAddress },
    );
  const list = (host: string, localAddress: string, headers: Record<string, string> = {}) =>
    engine.fetch(new Request(`http://${host}/candidate/v1/jobs`, { headers }), { localAddress });

  for (const origin of ['https://attacker.example', 'http://localhost.attacker.example:4650', 'null'])
    it(`takes nothing from a page of elsewhere that some browser here has open: ${origin}`, async () => {
      const refused = await send('127.0.0.1:4650', LOOPBACK, { origin });
      assert.equal(refused.status, 403);
      const { error } = (await refused.json()) as { error: { code: string; message: string } };
      assert.equal(error.code, 'FORBIDDEN');
      assert.doesNotMatch(error.message, /attacker/);
    });

  it('answers no page of elsewhere that asks without an Origin, as for a picture', async () => {
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': site };
      assert.equal((await list('127.0.0.1:4650', LOOPBACK, headers)).status, 403, site);
      assert.equal((await send('127.0.0.1:4650', LOOPBACK, headers)).status, 403, site);
    }
    for (const site of ['same-origin', 'none'])
      assert.equal((await list('127.0.0.1:4650', LOOPBACK, { 'sec-fetch-site': site })).status, 200, site);
    const ofThisMachine = { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' };
    assert.equal((await send('127.0.0.1:4650', LOOPBACK, ofThisMachine)).status, 201);
  });

  for (const localAddress of [LOOPBACK, '::1', '::ffff:127.0.0.1'])
    it(`is not shown by the name of elsewhere that was given the address ${localAddress}`, async () => {
      for (const host of ['attacker.example:4650', '192.168.1.5', '127.0.0.1.attacker.example'])
        assert.equal((await list(host, localAddress)).status, 403, host);
      const rebound = { host: 'attacker.example', origin: 'http://attacker.example' };
      assert.equal((await send('127.0.0.1:4650', localAddress, rebound)).status, 403);
    });

  it('is there for programs, for pages of this machine, and for containers that call it by their host', async () => {
    const pages = origins.pages;
    for (const origin of pages)
      assert.equal((await send('localhost:4650', LOOPBACK, { origin })).status, 201);
    for (const host of origins.hosts) {
      assert.equal((await list(host, LOOPBACK)).status, 200, host);
      assert.equal((await send(host, LOOPBACK)).status, 201, host);
    }
  });

  it('is there by any name where the engine listens for the network', async () => {
    assert.equal((await list('jobs.example', '192.168.1.5')).status, 200);
    const origin = 'https://career.example';
    assert.equal((await send('jobs.example', '192.168.1.5', { origin })).status, 201);
  });
});
