import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PartnerError } from '../../../src/contract/errors.ts';
import { localKey, revokeKey } from '../../../src/engine/companies/keys.ts';
import { digestSecret } from '../../../src/engine/companies/secrets.ts';
import { openSqliteStore } from '../../../src/engine/store/sqlite.ts';
import type { Store } from '../../../src/engine/store/store.ts';
import { fixture } from '../../fixture.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

describe('the local key', () => {
  const path = temporaryDirectory();
  let keyPath: string;
  let files = 0;
  const store = fixture('all tests', () => openSqliteStore(path('local.db')));
  beforeEach(async () => {
    await store.clear();
    keyPath = path(`keys-${++files}/local.key`);
  });

  it('is made on first use, for the default company, in a private file', async () => {
    const { key, companyId } = await localKey(store, keyPath, 0);
    assert.equal(readFileSync(keyPath, 'utf8'), `${key}\n`);
    assert.equal(statSync(keyPath).mode & 0o777, 0o600);
    assert.equal(statSync(dirname(keyPath)).mode & 0o777, 0o700);
    assert.equal((await store.read.companies.findDefault())?.id, companyId);
    assert.deepEqual(readdirSync(dirname(keyPath)), ['local.key'], 'no draft is left beside it');
  });

  it('stays the same, and costs one read', async () => {
    const first = await localKey(store, keyPath, 0);
    const readsOnly: Store = { ...store, write: () => assert.fail('nothing has to be written') };
    assert.deepEqual(await localKey(readsOnly, keyPath, 0), first);
  });

  it('is registered again where the database was emptied', async () => {
    const before = await localKey(store, keyPath, 0);
    await store.clear();
    const after = await localKey(store, keyPath, 0);
    assert.equal(after.key, before.key);
    assert.equal((await store.read.keys.findByDigest(digestSecret(after.key)))?.company_id, after.companyId);
  });

  it('is replaced where it was revoked', async () => {
    const before = await localKey(store, keyPath, 0);
    const [stored] = await store.read.keys.list();
    assert.ok(stored);
    await store.write((queries) => revokeKey(queries, stored.id, 0));
    const after = await localKey(store, keyPath, 0);
    assert.notEqual(after.key, before.key);
    assert.equal(after.companyId, before.companyId);
    assert.deepEqual(await localKey(store, keyPath, 0), after);
  });

  it('is replaced where its file holds no key', async () => {
    mkdirSync(dirname(keyPath), { recursive: true });
    writeFileSync(keyPath, 'half a k');
    const { key } = await localKey(store, keyPath, 0);
    assert.equal(readFileSync(keyPath, 'utf8'), `${key}\n`);
    assert.equal(statSync(keyPath).mode & 0o777, 0o600);
  });

  it('is CONFIG_UNREADABLE where its file cannot be one, and nothing is registered', async () => {
    writeFileSync(path('a-file'), '');
    for (const impossible of [path('a-file/local.key'), path('.')])
      await assert.rejects(localKey(store, impossible, 0), (error: unknown) => {
        assert.ok(error instanceof PartnerError);
        return error.code === 'CONFIG_UNREADABLE' && error.message.includes(impossible);
      });
    assert.deepEqual(await store.read.keys.list(), []);
  });
});
