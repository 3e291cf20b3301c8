import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PartnerError } from '../../../src/contract/errors.ts';
import { localKey, revokeKey } from '../../../src/engine/companies/keys.ts';
import { createPartnerKey, digestSecret, isPartnerKey } from '../../../src/engine/companies/secrets.ts';
import { openSqliteStore } from '../../../src/engine/store/sqlite.ts';
import type { Store } from '../../../src/engine/store/store.ts';
import { fixture } from '../../fixture.ts';
import { callOf, engineFor } from '../engine-under-test.ts';
import { describeOnEach } from '../store/dialects.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

describe('a partner key', () => {
  const engine = engineFor('all tests', { kind: 'sqlite' });

  it('has the prefix of section 5 and at least 32 random characters', () => {
    assert.match(createPartnerKey(), /^sk_ext_[0-9A-Za-z]{32,}$/);
    assert.ok(isPartnerKey(createPartnerKey()));
    assert.notEqual(createPartnerKey(), createPartnerKey());
  });

  it('is nowhere in the database or its log: only its digest and its last 4 characters', async () => {
    const { key, id } = await engine.operator.keys.create(engine.companyId, ' ci ');
    const directory = dirname((await engine.operator.status()).databasePath);
    const files = readdirSync(directory).filter((name) => /\.db/.test(name) && !name.endsWith('-files'));
    const stored = files.map((name) => readFileSync(join(directory, name), 'latin1')).join('');
    assert.ok(stored.includes(digestSecret(key)), 'the digest is what is searched for');
    assert.ok(!stored.includes(key.slice('sk_ext_'.length)));
    const listed = (await engine.operator.keys.list()).find((entry) => entry.id === id);
    assert.deepEqual(listed, {
      id,
      name: 'ci',
      companyId: engine.companyId,
      last4: key.slice(-4),
      createdAt: new Date(engine.now).toISOString(),
      lastUsedAt: null,
      revokedAt: null,
    });
  });

  it('cannot be made for a company, or revoked under an id, that does not exist', async () => {
    const isUsage = (error: unknown) => error instanceof PartnerError && error.code === 'USAGE';
    await assert.rejects(engine.operator.keys.create('cmp_none'), isUsage);
    for (const name of ['', ' ', 'a\nb', 'a\0b', 'n'.repeat(61)])
      await assert.rejects(engine.operator.keys.create(engine.companyId, name), isUsage, name);
    await assert.rejects(engine.operator.keys.revoke('key_none'), isUsage);
    await assert.rejects(engine.operator.companies.byId('cmp_none'), isUsage);
    await assert.rejects(engine.operator.dashboard.acceptTerms('cmp_none'), isUsage);
    await assert.rejects(engine.operator.dashboard.addCard('cmp_none'), isUsage);
    await assert.rejects(engine.operator.dashboard.status('cmp_none'), isUsage);
  });
});

describeOnEach('the last use of a key', (kind) => {
  let writes = 0;
  let fails = false;
  const around = (store: Store): Store => ({
    ...store,
    async write(work) {
      writes++;
      return fails ? Promise.reject(new Error('the disk is full')) : store.write(work);
    },
  });
  const engine = engineFor('each test', { kind, around });
  const lastUses = async () =>
    (await engine.operator.keys.list()).flatMap(({ lastUsedAt }) => lastUsedAt ?? []);

  it('is stored once an hour, and never for a command that opens the database itself', async () => {
    const found: number[] = [];
    for (const minute of [undefined, 0, 1, 59, 60, 61, 119, 240, 0]) {
      engine.now = Date.parse('2026-03-02T09:00:00Z') + (minute ?? 0) * 60_000;
      // Revoking any key makes the engine read all keys again.
      await engine.operator.keys.revoke((await engine.operator.keys.create(engine.companyId)).id);
      writes = 0;
      const origin = minute === undefined ? {} : { remoteAddress: '192.0.2.1' };
      await callOf((request) => engine.fetch(request, origin), engine.key, 'GET', '/jobs');
      await engine.keyUses.settle();
      found.push(writes);
    }
    assert.deepEqual(found, [0, 1, 0, 0, 1, 0, 0, 1, 1]);
    assert.deepEqual(await lastUses(), ['2026-03-02T09:00:00.000Z']);
  });

  it('is stored in one write for all keys that are used meanwhile, and later if that fails', async () => {
    for (let count = 0; count < 9; count++) await engine.operator.keys.create(engine.companyId);
    const rows = await engine.store.read.keys.list();
    for (const isFull of [true, false]) {
      [writes, fails] = [0, isFull];
      for (const row of rows) engine.keyUses.record(row);
      await engine.keyUses.settle();
      assert.deepEqual([writes, (await lastUses()).length], [2, isFull ? 0 : rows.length]);
    }
  });
});

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
