import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PartnerError } from '../../../src/contract/errors.ts';
import { digestOf, isPartnerKey, newPartnerKey } from '../../../src/engine/companies/secrets.ts';
import { callOf, engineFor } from '../engine-under-test.ts';
import { describeOnEach } from '../store/dialects.ts';

describe('a partner key', () => {
  const engine = engineFor('all tests', { kind: 'sqlite' });

  it('has the prefix of section 5 and at least 32 random characters', () => {
    assert.match(newPartnerKey(), /^sk_ext_[0-9A-Za-z]{32,}$/);
    assert.ok(isPartnerKey(newPartnerKey()));
    assert.notEqual(newPartnerKey(), newPartnerKey());
  });

  it('is nowhere in the database or its log: only its digest and its last 4 characters', async () => {
    const { key, id } = await engine.operator.keys.create(engine.companyId, ' ci ');
    const directory = dirname((await engine.operator.status()).databasePath);
    const files = readdirSync(directory).filter((name) => /\.db/.test(name) && !name.endsWith('-files'));
    const stored = files.map((name) => readFileSync(join(directory, name), 'latin1')).join('');
    assert.ok(stored.includes(digestOf(key)), 'the digest is what is searched for');
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
  const engine = engineFor('each test', {
    kind,
    around: (store) => ({
      ...store,
      write: async (work) => {
        writes++;
        if (fails) throw new Error('the disk is full');
        return store.write(work);
      },
    }),
  });

  /** Once what is remembered of keys is read again. */
  const use = async (origin: object) => {
    await engine.operator.keys.revoke((await engine.operator.keys.create(engine.companyId)).id);
    const before = writes;
    await callOf((request) => engine.fetch(request, origin), engine.key, 'GET', '/jobs');
    await engine.keyUses.settle();
    return writes - before;
  };
  const lastUses = async () =>
    (await engine.operator.keys.list()).flatMap(({ lastUsedAt }) => lastUsedAt ?? []);

  it('is stored once an hour, and never for a command that opens the database itself', async () => {
    assert.equal(await use({}), 0);
    const found: number[] = [];
    for (const minute of [0, 1, 59, 60, 61, 119, 240, 0]) {
      engine.now = Date.parse('2026-03-02T09:00:00Z') + minute * 60_000;
      found.push(await use({ remoteAddress: '192.0.2.1' }));
    }
    assert.deepEqual(found, [1, 0, 0, 1, 0, 0, 1, 1]);
    assert.deepEqual(await lastUses(), ['2026-03-02T09:00:00.000Z']);
  });

  it('is stored in one write for all keys that are used meanwhile, and later if that fails', async () => {
    for (let count = 0; count < 9; count++) await engine.operator.keys.create(engine.companyId);
    const rows = await engine.store.read.keys.list();
    for (const isFull of [true, false]) {
      const before = writes;
      fails = isFull;
      for (const row of rows) engine.keyUses.record(row);
      await engine.keyUses.settle();
      assert.equal(writes - before, 2);
      assert.equal((await lastUses()).length, isFull ? 0 : rows.length);
    }
  });
});
