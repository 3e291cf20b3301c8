import assert from 'node:assert/strict';
import { type RealServer, RealServers } from '../client/real-server.ts';
import { type Home, newHome } from './partner.ts';

const env = { PARTNER_API_KEY: 'sk_ext_4c1d9f3c2ab7e8d6' };

/** Ids of its own, which no other place list has. */
const PLACES = [
  place(101, 'Springfield', 'Illinois', 'United States'),
  place(102, 'Springfield', 'Ohio', 'United States'),
  place(103, 'Springfield', 'Ontario', 'Canada'),
  place(4671654, 'Austin', 'Texas', 'United States'),
];

function place(locationId: number, city: string, stateProvince: string, country: string) {
  const displayName = `${city}, ${stateProvince}, ${country}`;
  return { locationId, displayName, city, stateProvince, country };
}

describe('the places of a server that does only what the specification says', () => {
  const servers = new RealServers();
  let server: RealServer;
  let home: Home;
  /** Refuses a search with other parameters than its own. */
  let parameter: string;
  let isStrict: boolean;

  beforeEach(async () => {
    home = await newHome();
    [parameter, isStrict] = ['q', false];
    server = await servers.listen(({ method, url, body }, _, response) => {
      response.setHeader('content-type', 'application/json');
      if (method === 'POST')
        return void response.writeHead(201).end(JSON.stringify({ id: 1, ...JSON.parse(body) }));
      const { searchParams } = new URL(url ?? '', 'http://api.example');
      const q = searchParams.get(parameter)?.toLowerCase();
      if (q === undefined || (isStrict && searchParams.size > 1)) {
        const error = { code: 'VALIDATION_FAILED', message: 'unknown parameter' };
        return void response.writeHead(422).end(JSON.stringify({ error }));
      }
      response.end(JSON.stringify({ items: PLACES.filter(({ city }) => city.toLowerCase() === q) }));
    });
  });
  afterEach(() => servers.close());

  const run = (argv: readonly string[], more = {}) =>
    home.run([...argv, '--base-url', `${server.origin}/v1`], { env: { ...env, ...more } });
  const create = (...locations: string[]) =>
    run(['jobs', 'create', '--title', 'Baker', ...locations.flatMap((text) => ['--location', text])]);
  const sent = () =>
    server.requests
      .filter(({ method }) => method === 'POST')
      .map(({ body }) =>
        JSON.parse(body).locations.map((sentPlace: { locationId: number }) => sentPlace.locationId),
      );

  it('are accepted by the id that a search has shown, in this run or an earlier one', async () => {
    assert.match(
      (await create('102')).stderr,
      /no search of this server has shown a place with the id 102 yet/,
    );
    const unclear = await create('Springfield');
    assert.equal(unclear.code, 3);
    assert.match(unclear.stderr, /id 102 .*Ohio/);
    assert.equal((await create('102')).code, 0);
    const search = await run(['locations', 'search', 'austin']);
    assert.match(search.stdout, /4671654/);
    assert.equal((await create('4671654')).code, 0);
    assert.deepEqual(sent(), [[102], [4671654]]);
  });

  it('are accepted by an id with the city’s name on a machine that has seen none', async () => {
    for (const text of ['103:Springfield', ' 103 : Springfield, Ontario']) {
      assert.equal((await create(text)).code, 0);
    }
    assert.deepEqual(sent(), [[103], [103]]);
    const wrong = await create('103:Austin');
    assert.equal(wrong.code, 3);
    assert.match(wrong.stderr, /no place called "Austin" has the id 103/);
  });

  it('are accepted by the id of a bundled place where the server has that place too', async () => {
    assert.equal((await create('4671654')).code, 0);
    assert.deepEqual(sent(), [[4671654]]);
  });

  it('are remembered for their own server alone', async () => {
    await run(['locations', 'search', 'springfield']);
    const other = await servers.listen((_, __, response) =>
      response.setHeader('content-type', 'application/json').end('{"items":[]}'),
    );
    const elsewhere = ['jobs', 'create', '--title', 'Baker', '--location', '101'];
    const refused = await home.run([...elsewhere, '--base-url', `${other.origin}/v1`], { env });
    assert.equal(refused.code, 3);
    assert.match(refused.stderr, /`partner locations search QUERY` first/);
  });

  it('are never hinted at by the very text that was typed', async () => {
    const { stderr } = await create('Springfield, United States');
    assert.match(stderr, /name the region too \("Springfield, Illinois"\), or give the place's id and name/);
    PLACES.push(place(104, 'Springfield', 'Illinois', 'United States'));
    const twice = await create('Springfield, Illinois');
    PLACES.pop();
    assert.match(twice.stderr, /"Springfield, Illinois, United States"/);
    assert.doesNotMatch(twice.stderr, /\("Springfield, Illinois"\)/);
  });

  for (const strict of [false, true]) {
    it(`are few and of the country asked for, where the server ${strict ? 'refuses' : 'ignores'} both parameters`, async () => {
      isStrict = strict;
      const ids = async (...flags: string[]) => {
        const { stdout } = await run(['locations', 'search', 'springfield', '--json', ...flags]);
        return JSON.parse(stdout).items.map(({ locationId }: { locationId: number }) => locationId);
      };
      assert.deepEqual(await ids('--limit', '2'), [101, 102]);
      for (const country of ['US', 'usa', 'United States']) {
        assert.deepEqual(await ids('--country', country), [101, 102]);
      }
      assert.deepEqual(await ids('--country', 'canada', '--limit', '1'), [103]);
      assert.deepEqual(await ids('--country', 'FR'), []);
    });
  }

  for (const text of ['', '   ']) {
    it(`are not searched for by ${JSON.stringify(text)}: exit 2, and no call`, async () => {
      const { code, stderr } = await run(['locations', 'search', text]);
      assert.equal(code, 2);
      assert.match(stderr, /there is nothing to search for/);
      assert.equal(server.requests.length, 0);
    });
  }

  it('are searched for by the parameter that a flag names, or the environment', async () => {
    parameter = 'query';
    const PARTNER_LOCATION_QUERY_PARAMETER = 'query';
    const search = ['locations', 'search', 'austin'];
    assert.equal((await run(search)).code, 3);
    assert.equal((await run(search, { PARTNER_LOCATION_QUERY_PARAMETER })).code, 0);
    assert.equal((await run([...search, '--location-query-parameter', 'query'])).code, 0);
    const bad = await run(search, { PARTNER_LOCATION_QUERY_PARAMETER: 'a b' });
    assert.equal(bad.code, 2);
    assert.match(bad.stderr, /PARTNER_LOCATION_QUERY_PARAMETER must be a query parameter's name/);
  });
});

describe('the size limits of a server', () => {
  const servers = new RealServers();
  afterEach(() => servers.close());

  it('are ours, unless a flag or the environment says that it has others', async () => {
    const server = await servers.listen((_, __, response) =>
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":1}'),
    );
    const home = await newHome();
    const argv = ['jobs', 'create', '--title', 'x'.repeat(501), '--base-url', `${server.origin}/v1`];
    assert.equal((await home.run(argv, { env })).code, 3);
    assert.equal((await home.run([...argv, '--limits', 'none'], { env })).code, 0);
    assert.equal((await home.run(argv, { env: { ...env, PARTNER_LIMITS: 'none' } })).code, 0);
    const bad = await home.run([...argv, '--limits', 'some'], { env });
    assert.equal(bad.code, 2);
    assert.match(bad.stderr, /--limits must be ours or none, not `some`/);
  });

  it('hold for a place to search for, and nothing is sent', async () => {
    const server = await servers.listen((_, __, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[]}'),
    );
    const home = await newHome();
    const search = ['locations', 'search', 'saint '.repeat(11), '--base-url', `${server.origin}/v1`];
    const { code, stderr } = await home.run(search, { env });
    assert.deepEqual([code, server.requests.length], [3, 0]);
    assert.match(stderr, /has 11 words; at most 10/);
    assert.equal((await home.run(search, { env: { ...env, PARTNER_LIMITS: 'none' } })).code, 0);
    assert.equal(server.requests.length, 1);
  });
});
