import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { PartnerError } from '../../../src/contract/errors.ts';
import { createCompanyRow } from '../../../src/engine/companies/company.ts';
import { createDraft } from '../../../src/engine/lifecycle/job-state.ts';
import { type Engine, openEngine } from '../../../src/engine/open.ts';
import { SCHEMA_VERSION } from '../../../src/engine/store/migrations.ts';
import { openPostgresStore } from '../../../src/engine/store/postgres.ts';
import { type Store, settleExpiry } from '../../../src/engine/store/store.ts';
import { fixture } from '../../fixture.ts';
import { callOf } from '../engine-under-test.ts';
import refusals from './postgres-refusals.json' with { type: 'json' };
import { describeOnServer, holding, newDatabase, onDatabase, POSTGRES_URL } from './postgres-server.ts';

const PASSWORD = 'correct-horse';
const JOBS = 3_000;
const TERMINATE = `const client = new (require('pg').Client)(process.argv[1]);
  client.connect().then(() => client.query('select pg_terminate_backend(pid) from pg_stat_activity' +
    ' where datname = current_database() and pid <> pg_backend_pid()')).then(() => client.end())`;

describeOnServer('a PostgreSQL database', () => {
  const database = fixture('each test', newDatabase);
  afterEach(() => database.drop());
  after(() => onDatabase(POSTGRES_URL ?? '', 'drop role if exists partner_test_reader'));

  const run = (statement: string) => onDatabase(database.url, statement);
  const urlWith = (change: Partial<URL>) =>
    Object.assign(new URL(database.url), { password: PASSWORD }, change).href;

  for (const { where, change, told, before } of refusals)
    it(`${where} is refused with what to do about it, and without its password`, async () => {
      if (before !== undefined) await run(before);
      await assert.rejects(openPostgresStore(urlWith(change)), (error) => {
        assert.ok(error instanceof PartnerError);
        assert.equal(error.code, 'DATABASE_UNUSABLE');
        assert.match(`${error.message} ${error.hint}`, new RegExp(told));
        assert.doesNotMatch(`${error.stack} ${error.hint}`, new RegExp(PASSWORD));
        return true;
      });
    });

  it('is unusable, not faulty, where what stands between says that its server takes nobody', async () => {
    const between = createServer((socket) => {
      socket.once('data', () => {
        socket.write('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I');
        // PgBouncer refuses connections in this way.
        socket.once('data', () => socket.end('E\0\0\0\x21SFATAL\0C55000\0Mtakes nobody\0\0'));
      });
    });
    await once(between.listen(0, '127.0.0.1'), 'listening');
    const { port } = between.address() as AddressInfo;
    const expected = { code: 'DATABASE_UNUSABLE', message: /takes nobody/ };
    await assert.rejects(openPostgresStore(urlWith({ host: `127.0.0.1:${port}` })), expected);
    between.close();
  });

  async function storeWithJob(options: { connections?: number } = {}) {
    const store = await openPostgresStore(database.url, options);
    const company = createCompanyRow('Acme', 0);
    await store.write(async ({ companies, jobs }) => {
      await companies.insert(company);
      await jobs.insert(createDraft(company.id, {}), 0);
    });
    return { store, company };
  }

  it('tells a running process that a newer release has migrated it, and still serves it', async () => {
    const { store, company } = await storeWithJob({ connections: 2 });
    const find = () => store.read.jobs.find(company.id, 1);
    const change = () => store.write(({ jobs }) => jobs.findForChange(company.id, 1));
    for (const work of [find, change, find, change]) await work();
    assert.equal(await store.schemaVersion(), SCHEMA_VERSION);

    // Makes the query plans cached for both connections invalid.
    await run('alter table jobs alter column title type varchar, add column remark text');
    await run(`update schema_version set version = ${SCHEMA_VERSION + 1}`);
    const found = await Promise.all([find(), change(), find(), change()]);
    const ids = found.map((job) => job?.id);
    assert.deepEqual(ids, [1, 1, 1, 1]);
    assert.equal(await store.schemaVersion(), SCHEMA_VERSION + 1);
    await store.close();
  });

  it('loses no write at a stricter isolation either, where locks give way to further attempts', async () => {
    await run(
      `alter database ${new URL(database.url).pathname.slice(1)} set default_transaction_isolation = serializable`,
    );
    const { store, company } = await storeWithJob();
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

  it('has no job to change until the job is committed, so that nobody changes one without its lock', async () => {
    const { store, company } = await storeWithJob();
    let isRead = false;
    const insertion = store.write(async ({ jobs }) => {
      await jobs.insert(createDraft(company.id, {}), 0);
      // The lookup starts before the insert is committed, and must see the job afterwards.
      const tallies = await holding(database.url, 'lock table job_tallies');
      const read = store
        .write(({ jobs }) => jobs.findForChange(company.id, 2))
        .finally(() => (isRead = true));
      const waiting = `select from pg_locks where not granted and relation = 'job_tallies'::regclass`;
      while (!isRead && (await run(waiting)).length === 0) await pause(5);
      return { tallies, read };
    });
    const { tallies, read } = await insertion;
    await tallies.release();
    assert.equal(await read, undefined);
    await store.close();
  });

  it('ends a deadlock by running one of the two again', async () => {
    const store = await openPostgresStore(database.url);
    const ids = [createCompanyRow('One', 0), createCompanyRow('Other', 0)];
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

  describe('of a running engine', () => {
    let engine: Engine;
    let key: string;

    beforeEach(async () => {
      const address = { dialect: 'postgres', url: database.url } as const;
      engine = await openEngine({ database: address, placesPath: '', elapsedMs: () => 0 });
      const company = await engine.operator.companies.create('Acme');
      key = (await engine.operator.keys.create(company.id)).key;
    });
    afterEach(() => engine.close());

    const call = (method: string, path: string, body?: unknown) =>
      callOf(engine.fetch, key, method, path, body);
    const name = () => new URL(database.url).pathname.slice(1);

    it('is a 503 with Retry-After where it is lost, to reads and writes, and is used again as soon as it answers', async () => {
      assert.equal((await call('POST', '/jobs', {})).status, 201);
      const allow = (isOpen: boolean) =>
        onDatabase(POSTGRES_URL ?? '', `alter database ${name()} allow_connections ${isOpen}`);
      await allow(false);
      await onDatabase(
        POSTGRES_URL ?? '',
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name()}'`,
      );
      for (const answer of [
        await call('GET', '/jobs'),
        await call('POST', '/jobs', {}),
        await call('GET', '/jobs'),
      ]) {
        assert.deepEqual([answer.status, answer.body.error.code], [503, 'UNAVAILABLE']);
        assert.equal(answer.headers.get('retry-after'), '5');
      }
      await allow(true);
      assert.equal((await call('GET', '/jobs')).body.items.length, 1);
      assert.equal((await call('POST', '/jobs', {})).status, 201);
    });

    it('is the same where the server ends the connection in the middle of a transaction', async () => {
      const { id } = (await call('POST', '/jobs', {})).body;
      const holder = await holding(database.url, `select from jobs where id = ${id} for update`);
      const changed = call('PATCH', `/jobs/${id}`, { title: 'Welder' });
      const end = `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      while ((await run(end)).length === 0) await pause(10);
      assert.equal((await changed).status, 503);
      await holder.release();
      assert.equal((await call('PATCH', `/jobs/${id}`, { title: 'Baker' })).status, 200);
    });

    it('answers every request after the server has ended the idle connections', async () => {
      const create = () => call('POST', '/jobs', {});
      for (const send of [create, () => call('GET', '/jobs')]) {
        await Promise.all(Array.from({ length: 8 }, create));
        // This process is blocked meanwhile, so it doesn't notice that the connections end.
        execFileSync(process.execPath, ['--eval', TERMINATE, database.url]);
        for (const { status } of await Promise.all(Array.from({ length: 8 }, send))) assert.ok(status < 300);
      }
      assert.equal((await run('select from jobs')).length, 24);
    });
  });

  it('is asked again over another connection if one broke while idle, but never twice to write', async () => {
    const { url, cutAfter } = await throughProxy(database.url);
    const store = await openPostgresStore(url);
    const insert = () => store.write(({ companies }) => companies.insert(createCompanyRow('Acme', 0)));
    const insertAlone = () => store.read.companies.insert(createCompanyRow('Acme', 0));
    const count = async () => (await run('select from companies')).length;
    for (const [name, work, requests, isRepeated, inserted] of [
      ['begin', insert, 1, true, 1],
      ['commit', insert, 2, false, 1],
      ['a read', () => store.read.companies.list(), 1, true, 0],
      ['a write', insertAlone, 1, false, 1],
    ] as const) {
      await Promise.all([insert(), insert()]);
      const before = await count();
      cutAfter(requests);
      if (isRepeated) await work();
      else await assert.rejects(work(), { code: 'DATABASE_UNUSABLE' });
      assert.equal((await count()) - before, inserted, name);
    }
    await store.close();
  });

  describe('of whose jobs many expire at once', () => {
    const now = Date.parse('2026-03-02T09:00:00.000Z');
    let stores: Store[];
    let companyId: string;

    beforeEach(async () => {
      stores = await Promise.all([1, 2, 3].map(() => openPostgresStore(database.url)));
      const company = createCompanyRow('Acme', now);
      companyId = company.id;
      await stores[0]?.write(({ companies }) => companies.insert(company));
      await run(`insert into jobs (company_id, status, listed_status, title, description, locations, qualifications,
          questions, budgets, created_at, expires_at)
        select '${companyId}', 'ACTIVE', 'ACTIVE', 'Welder', '', '[]', '[]', '[]', '[]', '2026-03-01', '${new Date(now).toISOString()}'
        from generate_series(1, ${JOBS})`);
    });
    afterEach(() => Promise.all(stores.map((store) => store.close())));

    it('are moved by several processes, there and back, while others change them: none twice, none left out', async () => {
      let isOver = false;
      const edits = stores.map(async (store, index) => {
        for (let id = index + 1; !isOver; id = (id + 7) % JOBS || 1)
          await store.write(async ({ jobs }) => {
            const job = await jobs.findForChange(companyId, id);
            if (job !== undefined) await jobs.replace({ ...job, title: `edit ${id}` });
          });
      });
      for (const at of [now, now - 1, now])
        await Promise.all(stores.map((store) => settleExpiry(store, () => at, 0)));
      isOver = true;
      await Promise.all(edits);
      const [store] = stores as [Store];
      await settleExpiry(store, () => now, 0);
      const counts = { DRAFT: 0, ACTIVE: 0, PAUSED: 0, CLOSED: 0, EXPIRED: JOBS };
      assert.deepEqual(await store.read.jobs.countByStatus(companyId), counts);
      assert.equal((await run(`select from jobs where listed_status = 'EXPIRED'`)).length, JOBS);
    });

    it('are moved but for one that somebody has locked, and that one as soon as it is free', async () => {
      const [store] = stores as [Store];
      const holder = await holding(database.url, 'select id from jobs where id = 7 for update');
      const settled = settleExpiry(store, () => now, 0);
      while ((await store.read.jobs.countByStatus(companyId)).EXPIRED !== JOBS - 1) await pause(5);
      await holder.release();
      assert.equal(await settled, now);
      assert.equal((await store.read.jobs.countByStatus(companyId)).EXPIRED, JOBS);
    });
  });
});

/** Forwards connections, and ends one instead of forwarding the response to the Nth request from now. */
async function throughProxy(url: string) {
  const { hostname, port } = new URL(url);
  let left = 0;
  const proxy = createServer((socket) => {
    const server = connect(Number(port), hostname);
    let isCut = false;
    socket.on('data', (request) => {
      isCut ||= --left === 0;
      server.write(request);
    });
    server.on('data', (response) => (isCut ? socket.destroy() : socket.write(response)));
    socket.on('close', () => server.destroy());
  });
  await once(proxy.listen(0, '127.0.0.1').unref(), 'listening');
  const host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    url: Object.assign(new URL(url), { host }).href,
    cutAfter: (requests: number) => (left = requests),
  };
}
