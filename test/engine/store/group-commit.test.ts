import assert from 'node:assert/strict';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import Libsql from 'libsql';
import { createCompanyRow } from '../../../src/engine/companies/company.ts';
import { createDraft } from '../../../src/engine/lifecycle/job-state.ts';
import { openSqliteStore } from '../../../src/engine/store/sqlite.ts';
import type { Store } from '../../../src/engine/store/store.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const ACME = createCompanyRow('Acme', 0);
const GLOBEX = createCompanyRow('Globex', 1_000);

describe('writes that wait at the same time', () => {
  const path = temporaryDirectory();
  let files = 0;
  let file: string;
  let store: Store;

  beforeEach(async () => {
    file = path(`shared-${++files}.db`);
    store = await openSqliteStore(file);
    await store.write(({ companies }) => companies.insert(ACME));
  });
  afterEach(() => store.close());

  const write = (title: string, error?: Error) =>
    store.write(async ({ jobs }) => {
      const job = await jobs.insert({ ...createDraft(ACME.id, {}), title }, 0);
      if (error) throw error;
      return job.title;
    });
  const storedTitles = async () =>
    (await store.read.jobs.list({ companyId: ACME.id, limit: 200 })).map(({ title }) => title).toReversed();

  it('are undone alone where they throw, each told of its own', async () => {
    const outcomes = await Promise.allSettled([
      write('first'),
      write('refused', new Error('mine')),
      store.write(({ jobs }) => jobs.insert(createDraft('cmp_none', {}), 0)),
      write('last'),
    ]);
    const told = outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value : /^mine|foreign key/i.exec(outcome.reason.message)?.[0],
    );
    assert.deepEqual(told, ['first', 'mine', 'FOREIGN KEY', 'last']);
    assert.deepEqual(await storedTitles(), ['first', 'last']);
  });

  it('see what those before them did', async () => {
    const [, seen] = await Promise.all([
      write('first'),
      store.write(async ({ jobs }) => (await jobs.list({ companyId: ACME.id, limit: 9 })).length),
    ]);
    assert.equal(seen, 1);
  });

  it('are in the file for another process, all of them, as soon as the first one resolves', async () => {
    const other = new Libsql(file);
    const count = () => (other.prepare('select count(*) as jobs from jobs').get() as { jobs: number }).jobs;
    const seen = await Promise.all(['a', 'b', 'c'].map((title) => write(title).then(count)));
    assert.deepEqual(seen, [3, 3, 3]);
    other.close();
  });

  it('are all rejected by a commit that fails, and none is kept', async () => {
    const other = new Libsql(file);
    // SQLite checks a deferred constraint only at the commit.
    other.exec(`create table later (job integer references jobs (id) deferrable initially deferred);
      create trigger at_commit after insert on jobs when new.title = 'last'
        begin insert into later values (-1); end`);
    other.close();
    const outcomes = await Promise.allSettled([write('first'), write('last')]);
    const refused = outcomes.map(
      (outcome) => outcome.status === 'rejected' && /foreign key/i.test(outcome.reason.message),
    );
    assert.deepEqual(refused, [true, true]);
    assert.deepEqual(await storedTitles(), []);
    assert.equal(await write('after'), 'after');
  });

  it('are not so many that a read has to wait for them all', async () => {
    const order: string[] = [];
    const writes = Array.from({ length: 150 }, (_, index) =>
      write(String(index)).then(() => order.push('write')),
    );
    await writes[0];
    await store.read.companies.list();
    order.push('read');
    await Promise.all(writes);
    assert.ok(order.indexOf('read') < order.length - 1, String(order.indexOf('read')));
    assert.equal(order.length, 151);
  });

  it('are seen by no read of this process before they are committed', async () => {
    const company = createCompanyRow('Globex', 0);
    let reading: Promise<unknown> | undefined;
    const write = store.write(async ({ companies }) => {
      await companies.insert(company);
      assert.ok(await companies.find(company.id));
      reading = store.read.companies.find(company.id);
      await nextTurn();
      throw new Error('undone');
    });
    await assert.rejects(write, /undone/);
    assert.equal(await reading, undefined);
  });

  describe('while another connection is writing', () => {
    const insertGlobex = () => store.write(({ companies }) => companies.insert(GLOBEX));
    let other: Libsql.Database;

    beforeEach(() => {
      other = new Libsql(file);
      other.exec('begin immediate');
    });
    afterEach(() => other.close());

    it('a write waits without holding up timers or reads, and then succeeds', async () => {
      const order: string[] = [];
      const written = insertGlobex().then(() => order.push('written'));
      await pause(1);
      order.push('timer');
      assert.deepEqual(await store.read.companies.list(), [ACME]);
      order.push('read');
      other.exec('rollback');
      await written;
      assert.deepEqual(order, ['timer', 'read', 'written']);
      assert.deepEqual(await store.read.companies.list(), [ACME, GLOBEX]);
    });

    it('the store opens all the same', async () => {
      const second = await openSqliteStore(file);
      assert.deepEqual(await second.read.companies.list(), [ACME]);
      await second.close();
    });

    for (const [what, begin] of Object.entries({
      'still waits': () => pause(20),
      'has not begun': async () => {},
    }))
      it(`a write that ${what} when the store is closed is refused`, async () => {
        const closing = await openSqliteStore(file);
        const refused = assert.rejects(closing.write(({ companies }) => companies.insert(GLOBEX)));
        await begin();
        await closing.close();
        await refused;
      });
  });
});
