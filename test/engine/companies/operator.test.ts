import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { BudgetWindow } from '../../../src/contract/values.ts';
import { FIRST_TERMS } from '../../../src/engine/companies/terms.ts';
import { PDF } from '../applications/documents.ts';
import { engineFor } from '../engine-under-test.ts';
import { COMPLETE } from '../listing.ts';
import { storeApplication } from '../stored-application.ts';

const NO_JOBS = { DRAFT: 0, ACTIVE: 0, PAUSED: 0, CLOSED: 0, EXPIRED: 0 };

describe('the operator', () => {
  const engine = engineFor('each test');

  it('makes companies with ids of their own, listed oldest first; one that none names is meant if it is the only one', async () => {
    const { companies } = engine.operator;
    const acme = { id: engine.companyId, name: 'Acme' };
    assert.deepEqual(await engine.operator.defaultCompany(), acme);
    engine.now += 1;
    const one = await companies.create('Same name');
    engine.now += 1;
    const two = await companies.create('Same name');
    await assert.rejects(engine.operator.defaultCompany(), {
      code: 'USAGE',
      fields: { [acme.id]: 'Acme', [one.id]: 'Same name', [two.id]: 'Same name' },
    });
    assert.deepEqual(await companies.list(), [acme, one, two]);
    assert.deepEqual(await companies.byId(two.id), two);
    await engine.operator.reset();
    const first = await engine.operator.defaultCompany();
    assert.deepEqual([first.name, await engine.operator.defaultCompany()], ['My company', first]);
  });

  it('issues terms that outdate what was accepted: nothing is published until they are accepted too', async () => {
    const { terms, dashboard } = engine.operator;
    const { body: job } = await engine.call('POST', '/jobs', COMPLETE);
    const issued = await terms.issue({ version: '2026-07', text: 'Listings run for 30 days.' });
    assert.deepEqual(issued, {
      version: '2026-07',
      text: 'Listings run for 30 days.',
      issuedAt: new Date(engine.now).toISOString(),
    });
    assert.deepEqual(await terms.current(), issued);
    const expected = 'AGREEMENT_OUTDATED';
    assert.equal((await engine.call('POST', `/jobs/${job.id}/publish`)).body.error.code, expected);
    const { terms: stands } = await dashboard.status(engine.companyId);
    const wanted = { currentVersion: '2026-07', acceptedVersion: FIRST_TERMS.version, accepted: false };
    assert.deepEqual(stands, wanted);
    const message = { code: 'AGREEMENT_OUTDATED' };
    await assert.rejects(dashboard.acceptTerms(engine.companyId, FIRST_TERMS.version), message);
    await dashboard.acceptTerms(engine.companyId, '2026-07');
    assert.equal((await engine.call('POST', `/jobs/${job.id}/publish`)).status, 200);
  });

  it('issues no version twice, and none without a name or a text', async () => {
    const { terms } = engine.operator;
    await terms.issue({ version: '2026-07', text: 'one' });
    for (const [version, text] of [
      ['2026-07', 'two'],
      [FIRST_TERMS.version, 'two'],
      ['', 'two'],
      ['July 2026', 'two'],
      ['2026-08\n', 'two'],
      ['2026-08', ' \n'],
      ['2026-08', 'a\0b'],
      ['2026-08', 'x'.repeat(100_001)],
    ] as const)
      await assert.rejects(terms.issue({ version, text }), { code: 'USAGE' }, JSON.stringify(version));
    assert.equal((await terms.current()).text, 'one');
  });

  it('lets both caps stand where two people set one each at the same moment', async () => {
    const { setBudgets } = engine.operator.dashboard;
    const cap = (window: BudgetWindow) =>
      setBudgets(engine.companyId, (standing) => [...standing, { window, budgetCents: 100 }]);
    await Promise.all([cap('DAILY'), cap('MONTHLY')]);
    const { budgets } = await engine.operator.dashboard.status(engine.companyId);
    const windows = budgets.map(({ window }) => window);
    assert.deepEqual(windows, ['DAILY', 'MONTHLY']);
    await assert.rejects(cap('DAILY'), { code: 'VALIDATION_FAILED' });
    await assert.rejects(
      setBudgets('cmp_none', () => []),
      { code: 'USAGE' },
    );
  });

  it('empties everything, keys included', async () => {
    const { body: job } = await engine.call('POST', '/jobs', COMPLETE, { 'idempotency-key': 'k' });
    await engine.store.write((queries) => storeApplication(queries, job.id));
    await engine.files.put({ name: 'cv.pdf', content: PDF, now: engine.now });
    const digest = createHash('sha256').update(PDF).digest('hex');
    assert.deepEqual(Buffer.from((await engine.files.contents.read(digest)) ?? []), PDF);
    await engine.operator.reset();
    const { companies, keys, jobs } = await engine.operator.status();
    assert.deepEqual({ companies, keys, jobs }, { companies: 0, keys: 0, jobs: NO_JOBS });
    assert.equal((await engine.call('GET', '/jobs')).status, 401);
    assert.equal(await engine.files.contents.read(digest), undefined);
  });
});
