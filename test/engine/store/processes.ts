import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { DatabaseAddress } from '../../../src/engine/store/address.ts';
import { openStore } from '../../../src/engine/store/open.ts';
import { forked } from '../forked.ts';
import { JOBS_PER_PROCESS, type WriterOrder, type WriterReport } from './writer-process.ts';

interface Databases {
  /** Every process opens these new databases first and in the same order, so that the processes collide at each. */
  readonly rehearsals: readonly DatabaseAddress[];
  readonly shared: DatabaseAddress;
}

export function processesSuite(count: number, databases: () => Promise<Databases>, keyPath: string): void {
  let shared: DatabaseAddress;
  let reports: WriterReport[];

  before(async () => {
    const { rehearsals, ...made } = await databases();
    shared = made.shared;
    const order: WriterOrder = { rehearsals, database: shared, keyPath };
    const writers = await Promise.all(Array.from({ length: count }, () => forked('store/writer-process.ts')));
    const answers = writers.map(async (writer) => (await once(writer, 'message'))[0] as WriterReport);
    for (const writer of writers) writer.send(order);
    reports = await Promise.all(answers);
    for (const writer of writers) writer.disconnect();
  });

  it('meet no error, be it at opening, migrating, reading or writing', () => {
    const errors = reports.map(({ error }) => error);
    assert.deepEqual(
      errors,
      Array.from({ length: count }, () => null),
    );
  });

  it('share one local key and one default company', () => {
    assert.equal(new Set(reports.map(({ key }) => key)).size, 1);
    assert.equal(new Set(reports.map(({ companyId }) => companyId)).size, 1);
  });

  it('lose no write, neither of a new job nor to one that all of them change', async () => {
    const store = await openStore(shared);
    const [company, ...others] = await store.read.companies.list();
    assert.ok(company);
    assert.equal(others.length, 0);
    const { DRAFT } = await store.read.jobs.countByStatus(company.id);
    const first = await store.read.jobs.find(company.id, 1);
    assert.equal(DRAFT, count * JOBS_PER_PROCESS);
    assert.equal(first?.salaryMin, count * JOBS_PER_PROCESS);
    await store.close();
  });
}
