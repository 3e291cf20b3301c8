import { localKey } from '../../../src/engine/companies/keys.ts';
import { draftOf } from '../../../src/engine/lifecycle/job-state.ts';
import { openSqliteStore } from '../../../src/engine/store/sqlite.ts';

export interface WriterOrder {
  /** New databases that every process opens first, in the same order: at each they meet anew. */
  readonly rehearsals: readonly string[];
  readonly databasePath: string;
  readonly keyPath: string;
}

export interface WriterReport {
  readonly key: string | null;
  readonly companyId: string | null;
  readonly error: string | null;
}

export const JOBS_PER_PROCESS = 30;

/** Opens the database like any process, makes jobs, and raises the salary of the very first for each. */
async function write({ rehearsals, databasePath, keyPath }: WriterOrder): Promise<WriterReport> {
  for (const path of rehearsals) await (await openSqliteStore(path)).close();
  const store = await openSqliteStore(databasePath);
  const { key, companyId } = await localKey(store, keyPath, 0);
  for (let made = 0; made < JOBS_PER_PROCESS; made++) {
    await store.write(({ jobs }) => jobs.insert(draftOf(companyId, {}), 0));
    await store.write(async ({ jobs }) => {
      const job = await jobs.findForChange(companyId, 1);
      if (job) await jobs.replace({ ...job, salaryMin: (job.salaryMin ?? 0) + 1 });
    });
  }
  await store.close();
  return { key, companyId, error: null };
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
