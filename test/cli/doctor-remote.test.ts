import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, type RealServer, realServers } from '../client/real-server.ts';
import { fixture } from '../fixture.ts';
import { newHome, type Run } from './partner.ts';
import { answering, callsTo, KEY } from './servers.ts';

const BOSTON = {
  locationId: 7,
  displayName: 'Boston, Massachusetts, United States',
  city: 'Boston',
  stateProvince: 'Massachusetts',
  country: 'United States',
};

/** Behavior the specification leaves to the server. */
const USUAL = {
  parameter: 'q',
  jobs: [] as readonly object[] | undefined,
  honoursKeys: true,
  pauses: true,
  unknownRoute: 404,
  refusesSearch: false,
  isBodyless: false,
};

describe('doctor --remote', () => {
  const servers = realServers('each test');
  const home = fixture('each test', newHome);

  const listen = (choices: Partial<typeof USUAL> = {}): Promise<RealServer> => {
    const open = { ...USUAL, ...choices };
    const drafts: Record<string, unknown>[] = [];
    const byKey = new Map<string, number>();
    return servers.listen(({ method, url = '', headers, body }, _, response) => {
      const say = (status: number, value?: unknown, more = {}) =>
        void response
          .writeHead(status, { 'content-type': 'application/json', ...more })
          .end(value === undefined ? '' : JSON.stringify(value));
      const refuse = (status: number, code: string) => say(status, { error: { code, message: 'no' } });
      const { pathname, searchParams } = new URL(url, 'http://api.example');
      if (headers.authorization !== `Bearer ${KEY}`) return refuse(401, 'INVALID_SERVICE_KEY');
      const [, id = '', action] = /^\/v1\/jobs\/(\d+)(\/\w+)?$/.exec(pathname) ?? [];
      const draft = drafts[Number(id) - 1];
      if (pathname === '/v1/locations/search' && open.refusesSearch && !searchParams.has(open.parameter))
        return refuse(422, 'VALIDATION_FAILED');
      if (pathname === '/v1/locations/search')
        return say(200, { items: searchParams.get(open.parameter) === 'Boston' ? [BOSTON] : [] });
      if (pathname === '/v1/jobs' && method === 'GET' && open.jobs !== undefined)
        return say(200, { items: open.jobs, nextCursor: null });
      if (pathname === '/v1/jobs' && method === 'POST') {
        const key = String(headers['idempotency-key']);
        const known = open.honoursKeys ? byKey.get(key) : undefined;
        if (known === undefined) drafts.push({ id: drafts.length + 1, status: 'DRAFT', ...JSON.parse(body) });
        const made = known ?? drafts.length;
        byKey.set(key, made);
        const announced = open.honoursKeys ? { 'idempotency-status': 'stored' } : {};
        if (open.isBodyless) return say(202, undefined, { ...announced, location: `/v1/jobs/${made}` });
        return say(201, drafts[made - 1], announced);
      }
      if (draft !== undefined && action === undefined) {
        if (method === 'PATCH') Object.assign(draft, JSON.parse(body));
        return method === 'PATCH' && open.isBodyless ? say(204) : say(200, draft);
      }
      if (draft !== undefined && open.pauses) return refuse(409, 'INVALID_TRANSITION');
      if (id !== '' && action === undefined) return refuse(404, 'NOT_FOUND');
      response.writeHead(open.unknownRoute, { 'content-type': 'text/html' }).end('<h1>?</h1>');
    });
  };

  const login = (server: RealServer) =>
    home.run(`auth login acme --with-key --base-url ${server.origin}/v1`, { stdin: KEY });
  const profile = async () =>
    JSON.parse(await readFile(join(home.config, 'config.json'), 'utf8')).profiles.acme;
  const found =
    ({ stdout }: Run) =>
    (name: string) =>
      JSON.parse(stdout).items.find((item: { name: string }) => item.name === name)?.found;

  it('finds out by reads alone, and keeps what it learned in the profile, which is used', async () => {
    const server = await listen({ parameter: 'text', jobs: undefined, unknownRoute: 403 });
    await login(server);
    const before = server.requests.length;
    const run = await home.run('doctor --remote --json');
    assert.equal(run.code, 0, run.stdout);
    const said = found(run);
    assert.match(said('Places'), /found with the parameter `text`, not with `q`/);
    assert.match(said('List of jobs'), /^not supported \(403, text\/html\)/);
    assert.equal(said('Unknown job'), '404 NOT_FOUND');
    assert.equal(said('Unknown route'), '403, text/html');
    assert.match(said('Latency'), /ms over \d+ requests/);
    assert.ok(server.requests.slice(before).every(({ method }) => method === 'GET'));
    const { learned, keptIn, drafts } = JSON.parse(run.stdout);
    assert.deepEqual(learned, { traits: {}, locationQueryParameter: 'text' });
    assert.deepEqual([keptIn, drafts], ['acme', []]);
    const { traits, locationQueryParameter } = await profile();
    assert.deepEqual([traits.listsJobs, locationQueryParameter], [undefined, 'text']);
    const asked = server.requests.length;
    assert.match((await home.run('locations search Boston')).stdout, /Massachusetts/);
    await home.run('jobs list');
    const after = server.requests.slice(asked).map(({ url }) => url);
    assert.ok(after.includes('/v1/locations/search?text=Boston'));
    assert.ok(after.includes('/v1/jobs?limit=50'));
  });

  it('with --write tells what a draft shows, and says of the draft before and after that it stays', async () => {
    const server = await listen({ pauses: false, isBodyless: true });
    await login(server);
    const run = await home.run('doctor --remote --write');
    assert.equal(run.code, 0, run.stdout);
    assert.match(run.stdout, /Create +202, application\/json, with the ID in the Location header/);
    assert.match(run.stdout, /Repeated key +returned the same job/);
    assert.match(run.stdout, /Clear with null +supported: 204/);
    assert.match(run.stdout, /Clear with \[\] +supported: 204/);
    assert.match(run.stdout, /Pause +not supported: the response for a draft is 404/);
    assert.match(run.stderr, /Drafts can't be deleted or closed/);
    assert.match(
      run.stderr,
      /You can ignore draft 1, “Test draft of partner doctor, please ignore”\. It can't be deleted/,
    );
    const { refusedAt, ...traits } = (await profile()).traits;
    assert.deepEqual(Object.keys(refusedAt), ['pausesJobs', 'resumesJobs']);
    assert.deepEqual(traits, {
      listsJobs: true,
      honoursIdempotencyKeys: true,
      honoursKeysUnannounced: false,
      pausesJobs: false,
      resumesJobs: false,
    });
  });

  it('sees that a server ignores the key, and names both drafts', async () => {
    const server = await listen({ honoursKeys: false });
    await login(server);
    const run = await home.run('doctor --remote --write --json');
    assert.match(found(run)('Repeated key'), /created a second draft, 2/);
    assert.deepEqual(JSON.parse(run.stdout).drafts, [1, 2]);
    assert.equal((await profile()).traits.honoursIdempotencyKeys, false);
  });

  for (const refusesSearch of [false, true])
    it(`is named by a first search that is ${refusesSearch ? 'refused' : 'empty'}, and finds the parameter`, async () => {
      await login(await listen({ parameter: 'text', refusesSearch }));
      const file = await home.file('nurse.yaml', 'title: Nurse\nlocations: ["Boston, MA"]');
      const create = ['jobs create --title Nurse --location 7:Boston', `jobs create ${file} --json`];
      for (const line of ['locations search Boston', ...create, `jobs plan ${file}`]) {
        const { stdout, stderr } = await home.run(line);
        assert.match(stdout + stderr, /partner doctor --remote.*--location-query-parameter/, line);
      }
      assert.equal((await home.run('doctor --remote')).code, 0);
      for (const line of create) assert.equal((await home.run(line)).code, 0, line);
      assert.match((await home.run('locations search Nowhere')).stderr, /^no place matches `Nowhere`/);
    });

  it('ticks no line and writes nothing if a web page answers every request', async () => {
    const server = await servers.listen((_, __, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>');
    });
    const { code, stdout } = await home.run('doctor --remote --write', { env: callsTo(server) });
    assert.equal(code, 1);
    assert.match(stdout, /✗ Connection +.*not the API/);
    assert.doesNotMatch(stdout, /✓ (?!Node|Configuration|Files)/);
    assert.ok(server.requests.every(({ method }) => method === 'GET'));
  });

  it('ends at a server that is not there, or refuses the key, with its exit code and no draft', async () => {
    const nowhere = callsTo({ origin: `http://127.0.0.1:${await freePort()}` });
    const gone = await home.run('doctor --remote --write', { env: nowhere });
    assert.equal(gone.code, 8);
    assert.match(gone.stdout, /✗ Connection +can't reach/);
    const server = await listen();
    const env = { ...callsTo(server), PARTNER_API_KEY: 'sk_ext_wrong' };
    const refused = await home.run('doctor --remote --write', { env });
    assert.equal(refused.code, 4);
    assert.match(refused.stdout, /✗ Key +rejected: 401 INVALID_SERVICE_KEY/);
    assert.ok(server.requests.every(({ method }) => method === 'GET'));
  });

  it('says that the draft may exist where its create is not answered', async () => {
    const server = await servers.listen((arrived, ...io) => {
      if (arrived.method === 'GET') answering(200, { items: [] })(arrived, ...io);
    });
    const run = await home.run('doctor --remote --write --timeout 4s', { env: callsTo(server) });
    assert.equal(run.code, 8);
    assert.match(run.stdout, /✗ Create +the request timed out .*\n +→ the draft may have been created/);
    assert.equal(server.requests.filter(({ method }) => method === 'POST').length, 1);
  });
});
