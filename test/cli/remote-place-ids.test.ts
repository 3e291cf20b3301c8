import assert from 'node:assert/strict';
import { type RealServer, RealServers, realServers } from '../client/real-server.ts';
import { fixture } from '../fixture.ts';
import { type CommandLine, newHome } from './partner.ts';
import { answering, callsTo } from './servers.ts';

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
  const servers = realServers('each test');
  let server: RealServer;
  let parameter: string;
  let isStrict: boolean;

  const home = fixture('each test', newHome);
  beforeEach(async () => {
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

  const run = (line: CommandLine, more = {}) => home.run(line, { env: { ...callsTo(server), ...more } });
  const create = (...locations: string[]) =>
    run(['jobs', 'create', '--title', 'Baker', ...locations.flatMap((text) => ['--location', text])]);
  const sent = () =>
    server.requests
      .filter(({ method }) => method === 'POST')
      .map(({ body }) =>
        JSON.parse(body).locations?.map((sentPlace: { locationId: number }) => sentPlace.locationId),
      );

  it('are accepted by the id that a search has shown, in this run or an earlier one', async () => {
    const expected = /no search on this server has returned a place with the ID 102 yet/;
    assert.match((await create('102')).stderr, expected);
    assert.match((await run(['locations', 'search', 'springfield'])).stdout, /102.*Ohio/);
    assert.equal((await create('102')).code, 0);
    const search = await run(['locations', 'search', 'austin']);
    assert.match(search.stdout, /4671654/);
    assert.equal((await create('4671654')).code, 0);
    assert.deepEqual(sent(), [[102], [4671654]]);
  });

  it('are accepted by an id with the city’s name on a machine that has seen none', async () => {
    for (const text of ['103:Springfield', ' 103 : Springfield, Ontario'])
      assert.equal((await create(text)).code, 0);
    assert.deepEqual(sent(), [[103], [103]]);
    const wrong = await create('103:Austin');
    assert.equal(wrong.code, 3);
    assert.match(wrong.stderr, /no place named "Austin" has the ID 103/);
    assert.equal((await create('103:Springfield, Ohio')).code, 3);
  });

  it('are accepted by the id of a bundled place where the server has that place too', async () => {
    assert.equal((await create('4671654')).code, 0);
    assert.deepEqual(sent(), [[4671654]]);
  });

  it('open the bundled places only for a listing with a location as text', async () => {
    const opened = async (more: string[]) => {
      const argv = ['jobs', 'create', '--title', 'Baker', ...more];
      const run = await home.observe(argv, { env: callsTo(server) });
      return run.opened.some((path) => path.endsWith('places.bin'));
    };
    assert.deepEqual([await opened([]), await opened(['--location', 'Springfield, IL'])], [false, true]);
    assert.deepEqual(sent(), [undefined, [101]]);
  });

  it('are few and of the country asked for, also where the server refuses both parameters', async () => {
    for (const strict of [false, true]) {
      isStrict = strict;
      const ids = async (...flags: string[]) => {
        const { stdout } = await run(['locations', 'search', 'springfield', '--json', ...flags]);
        return JSON.parse(stdout).items.map(({ locationId }: { locationId: number }) => locationId);
      };
      assert.deepEqual(await ids('--limit', '2'), [101, 102]);
      for (const country of ['US', 'usa', 'United States'])
        assert.deepEqual(await ids('--country', country), [101, 102]);
      assert.deepEqual(await ids('--country', 'canada', '--limit', '1'), [103]);
      assert.deepEqual(await ids('--country', 'FR'), []);
    }
  });
});

it('the size limits of a server are ours, unless a flag or the environment says that it has others', async () => {
  const servers = new RealServers();
  const server = await servers.listen(answering(201, { id: 1, items: [] }));
  const home = await newHome();
  const run = (line: string, more = {}) => home.run(line, { env: { ...callsTo(server), ...more } });
  for (const line of [
    `jobs create --title ${'x'.repeat(501)}`,
    `locations search ${Array(11).fill('saint').join(',')}`,
  ]) {
    const asked = server.requests.length;
    assert.equal((await run(line)).code, 3);
    assert.equal(server.requests.length, asked, 'nothing is sent');
    assert.equal((await run(line, { PARTNER_LIMITS: 'none' })).code, 0);
  }
  assert.equal((await run(`jobs create --title ${'x'.repeat(501)} --limits none`)).code, 0);
  const bad = await run('jobs create --title Nurse --limits some');
  assert.equal(bad.code, 2);
  assert.match(bad.stderr, /--limits must be ours or none, not `some`/);
  await servers.close();
});
