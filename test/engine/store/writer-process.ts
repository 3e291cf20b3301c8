import { localKey } from '../../../src/engine/companies/keys.ts';
import { createDraft } from '../../../src/engine/lifecycle/job-state.ts';
import type { DatabaseAddress } from '../../../src/engine/store/address.ts';
import { openStore } from '../../../src/engine/store/open.ts';
import type { Store } from '../../../src/engine/store/store.ts';

export interface WriterOrder {
  /** Every process opens these new databases first and in the same order, so that the processes collide at each. */
  readonly rehearsals: readonly DatabaseAddress[];
  readonly database: DatabaseAddress;
  readonly keyPath: string;
}

export interface WriterReport {
  readonly key: string | null;
  readonly companyId: string | null;
  readonly error: string | null;
}

export const JOBS_PER_PROCESS = 30;

/** Creates jobs, and raises the salary of the very first one after each. */
async function write({ rehearsals, database, keyPath }: WriterOrder): Promise<WriterReport> {
  for (const rehearsal of rehearsals) await (await openStore(rehearsal)).close();
  const store = await openStore(database);
  const { key, companyId } = await localKey(store, keyPath, 0);
  for (let made = 0; made < JOBS_PER_PROCESS; made++) {
    await store.write(({ jobs }) => jobs.insert(createDraft(companyId, {}), 0));
    // Another process may not have committed the first job yet.
    while (!(await raiseFirst(store, companyId)));
  }
  await store.close();
  return { key, companyId, error: null };
}

function raiseFirst(store: Store, companyId: string): Promise<boolean> {
  return store.write(async ({ jobs }) => {
    const job = await jobs.findForChange(companyId, 1);
    if (job) await jobs.replace({ ...job, salaryMin: (job.salaryMin ?? 0) + 1 });
    return job !== undefined;
  });
}

if (process.send !== undefined) {
  process.on('message', async (order: WriterOrder) => {
    try {
      process.send?.(await write(order));
    } catch (error) {
      process.send?.({ key: null, companyId: null, error: String(error) });
    }
  });
  process.send('ready');
}
