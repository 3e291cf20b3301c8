import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PartnerError } from '../../../src/contract/errors.ts';
import { digestOf, isPartnerKey, newPartnerKey } from '../../../src/engine/companies/secrets.ts';
import { engineFor } from '../engine-under-test.ts';

describe('a partner key', () => {
  const engine = engineFor('all tests', { kind: 'sqlite' });

  it('has the prefix of section 5 and at least 32 random characters', () => {
    assert.match(newPartnerKey(), /^sk_ext_[0-9A-Za-z]{32,}$/);
    assert.ok(isPartnerKey(newPartnerKey()));
    assert.notEqual(newPartnerKey(), newPartnerKey());
  });

  it('is nowhere in the database or its log: only its digest and its last 4 characters', async () => {
    const { key, id } = await engine.operator.keys.create(engine.companyId);
    const directory = dirname((await engine.operator.status()).databasePath);
    const files = readdirSync(directory).filter((name) => /\.db/.test(name) && !name.endsWith('-files'));
    const stored = files.map((name) => readFileSync(join(directory, name), 'latin1')).join('');
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
