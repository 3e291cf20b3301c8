import assert from 'node:assert/strict';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RealServer, type RealServers, realServers } from '../client/real-server.ts';
import { type Home, newHome } from './partner.ts';
import { answering, KEY } from './servers.ts';

class Server {
  readonly made = new Map<string, number>();
  drops = 0;

  constructor(readonly real: RealServer) {}

  static async listen(servers: RealServers): Promise<Server> {
    const missing = { error: { code: 'NOT_FOUND', message: 'no such route' } };
    const real = await servers.listen((arrived, request, response) => {
      const { method, url, headers, body } = arrived;
      const say = (...given: Parameters<typeof answering>) => answering(...given)(arrived, request, response);
      if (url?.startsWith('/v1/locations')) return say(200, { items: [] });
      if (method !== 'POST') return say(404, missing);
      const key = String(headers['idempotency-key']);
      const id = server.made.get(key) ?? server.made.size + 1;
      server.made.set(key, id);
      if (server.drops-- > 0) return void request.socket.destroy();
      say(201, { id, status: 'DRAFT', ...JSON.parse(body) }, { 'idempotency-status': 'stored' });
    });
    const server = new Server(real);
    return server;
  }

  get baseUrl(): string {
    return `${this.real.origin}/v1`;
  }

  lists(): number {
    return this.real.requests.filter(({ url }) => url?.startsWith('/v1/jobs?')).length;
  }
}

describe('what a server was seen to do', () => {
  const servers = realServers('each test');
  let server: Server;
  let home: Home;
  beforeEach(async () => {
    server = await Server.listen(servers);
    home = await newHome();
    const login = `auth login acme --with-key --base-url ${server.baseUrl}`;
    assert.equal((await home.run(login, { stdin: KEY })).code, 0);
  });

  const kept = async () => {
    const config = JSON.parse(await readFile(join(home.config, 'config.json'), 'utf8'));
    return config.profiles.acme.traits;
  };
  const create = (flags = '') => home.run(`jobs create --title Baker --timeout 60s${flags}`);

  it('lets a create be repeated under its key from the next command on: one job, although answers are lost', async () => {
    server.drops = 1;
    assert.equal((await create()).code, 8);
    assert.equal((await create(' --resend')).code, 0);
    server.drops = 2;
    const run = await create();
    assert.equal(run.code, 0, run.stderr);
    assert.equal(server.made.size, 2);
    assert.equal(server.real.requests.filter(({ method }) => method === 'POST').length, 5);
  });

  it('is for this profile’s server alone, and forgotten with a new login', async () => {
    await create();
    const other = await Server.listen(servers);
    await home.run(`auth login acme --with-key --base-url ${other.baseUrl}`, { stdin: KEY });
    assert.deepEqual(Object.keys(await kept()), ['refusedAt']);
  });

  it('never fails a command where it cannot be kept', async () => {
    await chmod(join(home.config, 'config.json'), 0o400);
    await chmod(home.config, 0o500);
    await home.handOver();
    const run = await home.run('jobs create --title Baker', { asNobody: true });
    assert.equal(run.code, 0, run.stderr);
  });
});
