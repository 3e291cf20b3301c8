import assert from 'node:assert/strict';
import { once } from 'node:events';
import { openSqliteStore } from '../../../src/engine/store/sqlite.ts';
import { forked } from '../forked.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { JOBS_PER_PROCESS, type WriterOrder, type WriterReport } from './writer-process.ts';

const PROCESSES = 4;

describe('several processes at once on one new database', () => {
  const path = temporaryDirectory();
  const order: WriterOrder = {
    rehearsals: Array.from({ length: 20 }, (_, index) => path(`rehearsal-${index}.db`)),
    databasePath: path('shared.db'),
    keyPath: path('local.key'),
  };
  let reports: WriterReport[];

  before(async function () {
    this.timeout(60_000);
    const writers = await Promise.all(
      Array.from({ length: PROCESSES }, () => forked('store/writer-process.ts')),
    );
    const answers = writers.map(async (writer) => (await once(writer, 'message'))[0] as WriterReport);
    for (const writer of writers) writer.send(order);
    reports = await Promise.all(answers);
    for (const writer of writers) writer.disconnect();
  });

  it('meet no error, be it at opening, migrating, reading or writing', () => {
    assert.deepEqual(
      reports.map(({ error }) => error),
      Array.from({ length: PROCESSES }, () => null),
    );
  });

  it('share one local key and one default company', () => {
    assert.equal(new Set(reports.map(({ key }) => key)).size, 1);
    assert.equal(new Set(reports.map(({ companyId }) => companyId)).size, 1);
  });

  it('lose no write, neither of a new job nor to one that all of them change', async () => {
    const store = await openSqliteStore(order.databasePath);
    const [company, ...others] = await store.read.companies.list();
    assert.ok(company);
    assert.equal(others.length, 0);
    const { DRAFT } = await store.read.jobs.countByStatus(company.id);
    const first = await store.read.jobs.find(company.id, 1);
    assert.equal(DRAFT, PROCESSES * JOBS_PER_PROCESS);
    assert.equal(first?.salaryMin, PROCESSES * JOBS_PER_PROCESS);
    await store.close();
  });
});
