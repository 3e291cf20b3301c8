import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import Libsql from 'libsql';
import { newCompany } from '../../../src/engine/companies/company.ts';
import { openSqliteStore } from '../../../src/engine/store/sqlite.ts';
import type { Store } from '../../../src/engine/store/store.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const ACME = newCompany('Acme', 0);
const GLOBEX = newCompany('Globex', 1_000);

describe('while another connection is writing', () => {
  const path = temporaryDirectory();
  let store: Store;
  let other: Libsql.Database;

  beforeEach(async () => {
    store = await openSqliteStore(path('turn.db'));
    await store.clear();
    await store.write(({ companies }) => companies.insert(ACME));
    other = new Libsql(path('turn.db'));
    other.exec('begin immediate');
  });

  afterEach(async () => {
    other.close();
    await store.close();
  });

  const insertGlobex = () => store.write(({ companies }) => companies.insert(GLOBEX));

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

  it('several writes wait, and none of them is lost', async () => {
    const names = ['Globex', 'Initech', 'Umbrella'];
    const written = Promise.all(
      names.map((name, index) =>
        store.write(({ companies }) => companies.insert(newCompany(name, 1_000 * (index + 1)))),
      ),
    );
    await pause(1);
    other.exec('rollback');
    await written;
    const stored = await store.read.companies.list();
    assert.deepEqual(
      stored.map(({ name }) => name),
      ['Acme', ...names],
    );
  });

  it('the store opens all the same', async () => {
    const second = await openSqliteStore(path('turn.db'));
    assert.deepEqual(await second.read.companies.list(), [ACME]);
    await second.close();
  });

  it('a write that still waits when the store is closed is refused', async () => {
    const closing = await openSqliteStore(path('turn.db'));
    const refused = assert.rejects(closing.write(({ companies }) => companies.insert(GLOBEX)));
    await pause(1);
    await closing.close();
    await refused;
  });
});
