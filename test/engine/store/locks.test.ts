import assert from 'node:assert/strict';
import { createCompanyRow } from '../../../src/engine/companies/company.ts';
import { createDraft } from '../../../src/engine/lifecycle/job-state.ts';
import { createStore } from '../../../src/engine/store/store.ts';
import { newSchema, openPostgres, poolOn } from './pglite.ts';

const NOW = Date.parse('2026-03-02T09:00:00.000Z');

describe('the lock on a job, on postgres', () => {
  it('shows the application that it has waited for: an edit cannot slip past the freeze', async () => {
    // A statement that waits for a lock still sees older data in other tables. To simulate that, `waitedFor` runs
    // right after the locking statement.
    let waitedFor = '';
    const pool = poolOn(await newSchema(), async (sql, run) => {
      const one = /\bfor update\b/i.test(sql) ? waitedFor : '';
      if (one !== '') waitedFor = '';
      return one && run(one);
    });
    const db = await openPostgres(pool);
    const store = createStore(db, 'postgres');
    const company = createCompanyRow('Acme', NOW);
    const { id } = await store.write(async ({ companies, jobs }) => {
      await companies.insert(company);
      return jobs.insert(createDraft(company.id, {}), NOW);
    });
    waitedFor = `insert into job_tallies values (${id}, 1, 0, 0, 1)`;
    const job = await store.write(({ jobs }) => jobs.findForChange(company.id, id));
    assert.equal(waitedFor, '', 'nothing was locked');
    assert.equal(job?.isFrozen, true);
    await store.close();
  });
});
