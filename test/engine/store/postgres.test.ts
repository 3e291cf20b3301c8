import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { PartnerError } from '../../../src/contract/errors.ts';
import { newCompany } from '../../../src/engine/companies/company.ts';
import { draftOf } from '../../../src/engine/lifecycle/job-state.ts';
import { type Engine, openEngine } from '../../../src/engine/open.ts';
import { SCHEMA_VERSION } from '../../../src/engine/store/migrations.ts';
import { openPostgresStore } from '../../../src/engine/store/postgres.ts';
import { callOf } from '../engine-under-test.ts';
import {
  describeOnServer,
  holding,
  newDatabase,
  onDatabase,
  POSTGRES_URL,
  type TestDatabase,
} from './postgres-server.ts';

const PASSWORD = 'correct-horse';

describeOnServer('a PostgreSQL database', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await newDatabase();
  });
  afterEach(() => database.drop());
  after(() => onDatabase(POSTGRES_URL ?? '', 'drop role if exists partner_test_reader'));

  const run = (statement: string) => onDatabase(database.url, statement);
  const urlWith = (change: Partial<URL>) =>
    Object.assign(new URL(database.url), { password: PASSWORD }, change).href;

  const refusals: [where: string, change: Partial<URL>, told: RegExp, before?: string][] = [
    ['on a port where nothing listens', { port: '1' }, /ECONNREFUSED.*start the server/],
    ['on a host that nobody knows', { hostname: 'nohost.invalid' }, /nohost.invalid.*(?:host|network)/],
    ['that does not exist', { pathname: '/nowhere' }, /does not exist.*createdb/],
    ['for a user that the server does not know', { username: 'nobody' }, /nobody.*pg_hba/],
    ['over TLS that the server does not offer', { search: '?sslmode=require' }, /SSL.*sslmode/],
    [
      'that has tables of another program',
      {},
      /another program.*of its own/,
      'create table bills (id integer)',
    ],
    [
      'in which another program keeps versions',
      {},
      /another program.*of its own/,
      `create table schema_version (installed_rank integer, version text); insert into schema_version values (1, '1')`,
    ],
    [
      'of a newer release',
      {},
      /a newer release made it \(schema 1000, here \d+\).*upgrade partner/,
      'create table schema_version (version integer); insert into schema_version values (1000)',
    ],
    [
      'in which the user may not create tables',
      { username: 'partner_test_reader' },
      /permission denied for schema.*CREATE/,
      `do $$ begin create role partner_test_reader login; exception when others then null; end $$;
        revoke create on schema public from public`,
    ],
  ];
  for (const [where, change, told, before] of refusals) {
    it(`${where} is refused with what to do about it, and without its password`, async () => {
      if (before !== undefined) await run(before);
      await assert.rejects(openPostgresStore(urlWith(change)), (error) => {
        assert.ok(error instanceof PartnerError);
        assert.equal(error.code, 'DATABASE_UNUSABLE');
        assert.match(`${error.message} ${error.hint}`, told);
        assert.doesNotMatch(`${error.stack} ${error.hint}`, new RegExp(PASSWORD));
        return true;
      });
    });
  }

  it('tells a running process that a newer release has migrated it, and still serves it', async () => {
    const store = await openPostgresStore(database.url, { connections: 2 });
    const company = newCompany('Acme', 0);
    const find = () => store.read.jobs.find(company.id, 1);
    const change = () => store.write(({ jobs }) => jobs.findForChange(company.id, 1));
    await store.write(async ({ companies, jobs }) => {
      await companies.insert(company);
      await jobs.insert(draftOf(company.id, {}), 0);
    });
    for (const work of [find, change, find, change]) await work();
    assert.equal(await store.schemaVersion(), SCHEMA_VERSION);

    // The plans that the server has kept for both connections are of no use any more.
    await run('alter table jobs alter column title type varchar, add column remark text');
    await run(`update schema_version set version = ${SCHEMA_VERSION + 1}`);
    const found = await Promise.all([find(), change(), find(), change()]);
    assert.deepEqual(
      found.map((job) => job?.id),
      [1, 1, 1, 1],
    );
    assert.equal(await store.schemaVersion(), SCHEMA_VERSION + 1);
    await store.close();
  });

  it('loses no write at a stricter isolation either, where locks give way to further attempts', async () => {
    await run(
      `alter database ${new URL(database.url).pathname.slice(1)} set default_transaction_isolation = serializable`,
    );
    const store = await openPostgresStore(database.url);
    const company = newCompany('Acme', 0);
    await store.write(async ({ companies, jobs }) => {
      await companies.insert(company);
      await jobs.insert(draftOf(company.id, {}), 0);
    });
    const raise = () =>
      store.write(async ({ jobs }) => {
        const job = await jobs.findForChange(company.id, 1);
        assert.ok(job);
        await jobs.replace({ ...job, salaryMin: (job.salaryMin ?? 0) + 1 });
      });
    for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 4 }, raise));
    assert.equal((await store.read.jobs.find(company.id, 1))?.salaryMin, 20);
    await store.close();
  });

  it('ends a deadlock by running one of the two again', async () => {
    const store = await openPostgresStore(database.url);
    const ids = [newCompany('One', 0), newCompany('Other', 0)];
    for (const company of ids) await store.write(({ companies }) => companies.insert(company));
    const bothHaveOne = new Set<number>();
    let attempts = 0;
    const lockBoth = (own: number) =>
      store.write(async ({ companies }) => {
        attempts++;
        await companies.lock(ids[own]?.id ?? '');
        bothHaveOne.add(own);
        while (bothHaveOne.size < 2) await pause(1);
        await companies.lock(ids[1 - own]?.id ?? '');
      });
    await Promise.all([lockBoth(0), lockBoth(1)]);
    assert.equal(attempts, 3);
    await store.close();
  });

  describe('that cannot be reached for a while', () => {
    let engine: Engine;
    let way: Way;
    let key: string;

    beforeEach(async () => {
      way = await wayTo(database.url);
      engine = await openEngine({ database: { dialect: 'postgres', url: way.url }, placesPath: '' });
      const company = await engine.operator.companies.create('Acme');
      key = (await engine.operator.keys.create(company.id)).key;
    });
    afterEach(async () => {
      await engine.close();
      way.block();
    });

    const create = () => callOf(engine.fetch, key, 'POST', '/jobs', {});
    const list = () => callOf(engine.fetch, key, 'GET', '/jobs');

    it('is a 503 with Retry-After to reads and writes, and is used again as soon as it answers', async () => {
      assert.equal((await create()).status, 201);
      way.block();
      for (const answer of [await list(), await create(), await list()]) {
        assert.equal(answer.status, 503);
        assert.equal(answer.body.error.code, 'UNAVAILABLE');
        assert.equal(answer.headers.get('retry-after'), '5');
      }
      await way.open();
      assert.equal((await list()).body.items.length, 1);
      assert.equal((await create()).status, 201);
    });

    it('is the same where the server ends the connection in the middle of a transaction', async () => {
      const { id } = (await create()).body;
      const holder = await holding(database.url, `select from jobs where id = ${id} for update`);
      const waiting = callOf(engine.fetch, key, 'PATCH', `/jobs/${id}`, { title: 'Welder' });
      const own = `pid <> pg_backend_pid() and datname = current_database()`;
      const waits = `select from pg_stat_activity where ${own} and wait_event_type = 'Lock'`;
      while ((await run(waits)).length === 0) await pause(10);
      await run(
        `select pg_terminate_backend(pid) from pg_stat_activity where ${own} and wait_event_type = 'Lock'`,
      );
      assert.equal((await waiting).status, 503);
      await holder.release();
      assert.equal((await callOf(engine.fetch, key, 'PATCH', `/jobs/${id}`, { title: 'Baker' })).status, 200);
    });
  });
});

interface Way {
  readonly url: string;
  block(): void;
  open(): Promise<void>;
}

/** A way to a database that can be blocked, which breaks the connections over it, and opened again. */
async function wayTo(url: string): Promise<Way> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;
  const open = async () => {
    server = createServer((socket) => {
      const onward = connect(Number(target.port), target.hostname);
      for (const one of [socket, onward]) {
        sockets.add(one);
        one.on('error', () => {}).on('close', () => sockets.delete(one));
      }
      socket.pipe(onward).pipe(socket);
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  await open();
  const over = new URL(url);
  over.host = `127.0.0.1:${port}`;
  return {
    url: over.href,
    open,
    block() {
      server?.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
