import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { PartnerError } from '../../../src/contract/errors.ts';
import { digestOf, isPartnerKey, newPartnerKey } from '../../../src/engine/companies/secrets.ts';
import { type EngineUnderTest, engineOn } from '../engine-under-test.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

describe('a partner key', () => {
  const path = temporaryDirectory();
  let engine: EngineUnderTest;
  before(async () => {
    engine = await engineOn(path('keys.db'));
  });
  after(() => engine.store.close());

  const get = (key: string) =>
    engine.fetch(new Request('http://engine.test/v1/jobs', { headers: { authorization: `Bearer ${key}` } }));

  it('has the prefix of section 5 and at least 32 random characters', () => {
    assert.match(newPartnerKey(), /^sk_ext_[0-9A-Za-z]{32,}$/);
    assert.ok(isPartnerKey(newPartnerKey()));
    assert.notEqual(newPartnerKey(), newPartnerKey());
  });

  it('opens the service to its company until it is revoked', async () => {
    const { key, id } = await engine.operator.keys.create(engine.companyId);
    assert.equal((await get(key)).status, 200);
    await engine.operator.keys.revoke(id);
    assert.equal((await get(key)).status, 401);
  });

  it('is nowhere in the database or its log: only its digest and its last 4 characters', async () => {
    const { key, id } = await engine.operator.keys.create(engine.companyId);
    const files = readdirSync(path('.')).filter((name) => name.startsWith('keys.db'));
    const stored = files.map((name) => readFileSync(path(name), 'latin1')).join('');
    assert.ok(stored.includes(digestOf(key)), 'the digest is what is searched for');
    assert.ok(!stored.includes(key.slice('sk_ext_'.length)));
    const listed = (await engine.operator.keys.list()).find((entry) => entry.id === id);
    assert.deepEqual(listed, {
      id,
      companyId: engine.companyId,
      last4: key.slice(-4),
      createdAt: new Date(engine.now).toISOString(),
      revokedAt: null,
    });
  });

  it('cannot be made for a company, or revoked under an id, that does not exist', async () => {
    const isUsage = (error: unknown) => error instanceof PartnerError && error.code === 'USAGE';
    await assert.rejects(engine.operator.keys.create('cmp_none'), isUsage);
    await assert.rejects(engine.operator.keys.revoke('key_none'), isUsage);
    await assert.rejects(engine.operator.companies.byId('cmp_none'), isUsage);
    await assert.rejects(engine.operator.dashboard.acceptTerms('cmp_none'), isUsage);
    await assert.rejects(engine.operator.dashboard.addCard('cmp_none'), isUsage);
    await assert.rejects(engine.operator.dashboard.status('cmp_none'), isUsage);
  });
});
