import assert from 'node:assert/strict';
import { type Network, openNetwork } from '../../src/client/network.ts';
import type { PartnerError } from '../../src/contract/errors.ts';
import { clientOn, failureOf } from './client-under-test.ts';
import { RealServers } from './real-server.ts';

describe('a redirect', () => {
  const servers = new RealServers();
  let network: Network;

  beforeEach(() => {
    network = openNetwork({ allowInsecure: false, env: {} });
  });
  afterEach(async () => {
    await network.close();
    await servers.close();
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`${status} is not followed, and the key never arrives elsewhere`, async () => {
      const thief = await servers.listen((_, __, response) => response.end('{}'));
      const location = `${thief.origin}/v1/jobs`;
      const server = await servers.listen((_, __, response) =>
        response.writeHead(status, { location }).end(),
      );
      const { client } = clientOn(network.send, { baseUrl: `${server.origin}/v1` });
      for (const call of [() => client.getJob(12), () => client.transition('close', 12)]) {
        const error = await failureOf(call(), 'ANSWER_UNREADABLE');
        assert.equal(
          error.message,
          `${server.origin} redirects to ${location} (${status}); the key is not sent there`,
        );
        assert.match(error.hint ?? '', /--base-url/);
      }
      const created = await client.createJob({}).catch((thrown: PartnerError) => thrown);
      // A 307 and a 308 answer a request that was not carried out.
      assert.equal(created.code, status < 307 ? 'OUTCOME_UNKNOWN' : 'ANSWER_UNREADABLE');
      assert.equal(thief.connections, 0);
    });
  }

  it('is never followed by a plain fetch of the request either, which would hand on the key', async () => {
    let redirect = '';
    const send = async (request: Request) => {
      redirect = request.redirect;
      return Response.json({ id: 12 });
    };
    await clientOn(send).client.getJob(12);
    assert.equal(redirect, 'manual');
  });
});
