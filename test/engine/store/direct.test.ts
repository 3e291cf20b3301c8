import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { newCompany } from '../../../src/engine/companies/company.ts';
import { openSqliteStore } from '../../../src/engine/store/sqlite.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

describe('a query that stands alone', () => {
  const path = temporaryDirectory();

  it('never sees what a write of this process has not committed', async () => {
    const store = await openSqliteStore(path('direct.db'));
    const company = newCompany('Acme', 0);
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
    await store.close();
  });

  it('sees at once what another process has committed', async () => {
    const [ours, theirs] = [await openSqliteStore(path('two.db')), await openSqliteStore(path('two.db'))];
    const company = newCompany('Acme', 0);
    assert.equal(await ours.read.companies.find(company.id), undefined);
    await theirs.write(({ companies }) => companies.insert(company));
    assert.deepEqual(await ours.read.companies.find(company.id), company);
    await ours.close();
    await theirs.close();
  });
});
