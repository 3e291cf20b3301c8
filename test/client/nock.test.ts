import assert from 'node:assert/strict';
import { openNetwork } from '../../src/client/network.ts';
import { BASE_URL, clientOn, KEY } from './client-under-test.ts';

describe('the global fetch', () => {
  let nock: typeof import('nock');
  let network: ReturnType<typeof openNetwork>;

  // Importing nock patches the whole process, so it's imported only here and undone later.
  before(async () => {
    ({ default: nock } = await import('nock'));
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
    network = openNetwork({ allowInsecure: false, env: {} });
  });
  after(async () => {
    nock.cleanAll();
    nock.enableNetConnect();
    nock.restore();
    await network.close();
  });

  it('carries every call, so that whoever replaces it sees what is sent', async () => {
    const scope = nock(new URL(BASE_URL).origin, {
      reqheaders: { authorization: `Bearer ${KEY}`, 'idempotency-key': 'key-1' },
    })
      .post('/v1/jobs', { title: 'Welder' })
      .reply(201, { id: 12 }, { 'Idempotency-Status': 'stored' });
    const { client } = clientOn(network.send);
    assert.deepEqual(await client.createJob({ title: 'Welder' }), { id: 12 });
    assert.equal(client.traits.honoursIdempotencyKeys, true);
    scope.done();
  });
});
