import assert from 'node:assert/strict';
import { RealServers } from '../client/real-server.ts';
import { withEngine } from './homes.ts';
import type { Home } from './partner.ts';

const PARIS = {
  stateProvince: 'Île-de-France',
  country: 'France',
  displayName: 'Paris, Île-de-France, France',
};
const TEXAS = {
  stateProvince: 'Texas',
  country: 'United States',
  displayName: 'Paris, Texas, United States',
};

describe('a place given as text to a server that tells no populations', () => {
  const servers = new RealServers();
  let home: Home;
  before(async () => {
    home = await withEngine();
  });
  after(() => servers.close());

  /** A server whose search knows two places called Paris. */
  const created = async (ids: readonly [paris: number, texas: number]) => {
    const items = [
      { locationId: ids[0], city: 'Paris', ...PARIS },
      { locationId: ids[1], city: 'Paris', ...TEXAS },
    ];
    const sent: string[] = [];
    const server = await servers.listen(({ method, body }, _, response) => {
      response.setHeader('content-type', 'application/json');
      if (method === 'GET') return void response.end(JSON.stringify({ items }));
      sent.push(body);
      response.writeHead(201).end(JSON.stringify({ id: 1, ...JSON.parse(body) }));
    });
    const run = await home.run(
      ['jobs', 'create', '--title', 'Baker', '--location', 'Paris', '--base-url', `${server.origin}/v1`],
      { env: { PARTNER_API_KEY: 'sk_ext_4c1d9f3c2ab7e8d6' } },
    );
    return { run, sent: sent.map((body) => JSON.parse(body).locations[0].locationId) };
  };

  it('is the great city, where the suggestions are places that are bundled', async () => {
    const { run, sent } = await created([2988507, 4717560]);
    assert.equal(run.code, 0, run.stderr);
    assert.deepEqual(sent, [2988507]);
  });

  it('is not clear, and nothing is sent, where the ids are the server’s own', async () => {
    const { run, sent } = await created([900_000_001, 900_000_002]);
    assert.equal(run.code, 3, run.stdout);
    assert.match(run.stderr, /not clear which place "Paris" means/);
    assert.deepEqual(sent, []);
  });
});
