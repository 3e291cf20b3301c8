import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { newCompany } from '../../../src/engine/companies/company.ts';
import { draftOf } from '../../../src/engine/lifecycle/job-state.ts';
import { settleExpiry } from '../../../src/engine/store/expiry.ts';
import { openPostgresStore } from '../../../src/engine/store/postgres.ts';
import type { Store } from '../../../src/engine/store/store.ts';
import { describeOnServer, holding, newDatabase, onDatabase, type TestDatabase } from './postgres-server.ts';

const NOW = Date.parse('2026-03-02T09:00:00.000Z');
const JOBS = 3_000;

describeOnServer('the jobs that expire at once, on PostgreSQL', () => {
  let database: TestDatabase;
  let stores: Store[];
  let companyId: string;
  const run = (statement: string) => onDatabase(database.url, statement);

  before(async () => {
    database = await newDatabase();
    stores = [];
    for (let opened = 0; opened < 3; opened++) stores.push(await openPostgresStore(database.url));
    const company = newCompany('Acme', NOW);
    companyId = company.id;
    const state = { status: 'ACTIVE' as const, expiresAt: new Date(NOW).toISOString() };
    await stores[0]?.write(async ({ companies, jobs }) => {
      await companies.insert(company);
      await jobs.insert({ ...draftOf(companyId, {}), ...state }, NOW);
    });
    await run(`create table copies as select * from jobs`);
    await run('alter table copies drop column id');
    const columns = await run(
      `select string_agg(column_name, ',') as names from information_schema.columns where table_name = 'copies'`,
    );
    const names = columns[0]?.names;
    await run(
      `insert into jobs (${names}) select ${names} from copies, generate_series(2, ${JOBS}) order by 1`,
    );
  });
  after(async () => {
    for (const store of stores) await store.close();
    await database.drop();
  });

  it('are moved by several processes, there and back, while others change them: none twice, none left out', async () => {
    let isOver = false;
    const edits = stores.map(async (store, index) => {
      for (let id = index + 1; !isOver; id = (id + 7) % JOBS || 1) {
        await store.write(async ({ jobs }) => {
          const job = await jobs.findForChange(companyId, id);
          if (job !== undefined) await jobs.replace({ ...job, title: `edit ${id}` });
        });
      }
    });
    for (const now of [NOW, NOW - 1, NOW]) {
      await Promise.all(stores.map((store) => settleExpiry(store, () => now, 0)));
    }
    isOver = true;
    await Promise.all(edits);
    const [store] = stores as [Store];
    await settleExpiry(store, () => NOW, 0);
    const counts = { DRAFT: 0, ACTIVE: 0, PAUSED: 0, CLOSED: 0, EXPIRED: JOBS };
    assert.deepEqual(await store.read.jobs.countByStatus(companyId), counts);
    assert.equal((await run(`select from jobs where listed_status = 'EXPIRED'`)).length, JOBS);
  });

  it('are moved but for one that somebody has locked, and that one as soon as it is free', async () => {
    const [store] = stores as [Store];
    const holder = await holding(database.url, 'select id from jobs where id = 7 for update');
    const settled = settleExpiry(store, () => NOW - 1, 0);
    while ((await store.read.jobs.countByStatus(companyId)).ACTIVE !== JOBS - 1) await pause(5);
    await holder.release();
    assert.equal(await settled, NOW - 1);
    assert.equal((await store.read.jobs.countByStatus(companyId)).ACTIVE, JOBS);
  });
});
