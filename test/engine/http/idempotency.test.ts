import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IDEMPOTENCY_MS } from '../../../src/contract/values.ts';
import { engineFor } from '../engine-under-test.ts';
import { forked } from '../forked.ts';
import { COMPLETE } from '../listing.ts';
import { databaseFor, describeOnEach } from '../store/dialects.ts';

const under = (key: string) => ({ 'idempotency-key': key });

describeOnEach('an Idempotency-Key (decision 27)', (kind) => {
  const engine = engineFor('each test', { kind });

  it('stores no refusal: the same payload passes once the gate is satisfied (section 3)', async () => {
    const fresh = await engine.operator.companies.create('Fresh');
    const { key } = await engine.operator.keys.create(fresh.id);
    const headers = { ...under('k'), authorization: `Bearer ${key}` };
    const listing = { ...COMPLETE, publish: true };
    const refused = await engine.call('POST', '/jobs', listing, headers);
    assert.equal(refused.body.error.code, 'AGREEMENT_OUTDATED');
    assert.equal(refused.headers.get('idempotency-status'), null);
    await engine.operator.dashboard.acceptTerms(fresh.id);
    await engine.operator.dashboard.addCard(fresh.id);
    const passed = await engine.call('POST', '/jobs', listing, headers);
    assert.deepEqual([passed.status, passed.body.status], [201, 'ACTIVE']);
  });

  it('does not stay in the database for good', async () => {
    await engine.call('POST', '/jobs', COMPLETE, under('old'));
    engine.now += IDEMPOTENCY_MS;
    for (let made = 0; made < 70; made++) await engine.call('POST', '/jobs', {}, under(`new-${made}`));
    const db = await engine.database.tables();
    const old = await db.selectFrom('idempotency').selectAll().where('key', '=', 'old').execute();
    assert.deepEqual(old, []);
  });

  it('has 1 to 255 characters', async () => {
    assert.equal((await engine.call('POST', '/jobs', {}, under('k'.repeat(255)))).status, 201);
    for (const key of ['', 'k'.repeat(256)]) {
      const { status, body } = await engine.call('POST', '/jobs', {}, under(key));
      assert.deepEqual([status, Object.keys(body.error.fields)], [422, ['Idempotency-Key']]);
    }
  });

  it('means nothing on other methods', async () => {
    const { body: job } = await engine.call('POST', '/jobs', {});
    for (const title of ['One', 'Two']) {
      const { body, headers } = await engine.call('PATCH', `/jobs/${job.id}`, { title }, under('k'));
      assert.deepEqual([body.title, headers.get('idempotency-status')], [title, null]);
    }
  });
});

describeOnEach('a process killed while it creates under keys', (kind) => {
  // PGlite runs only in this process.
  if (kind === 'pglite') return;
  const database = databaseFor('all tests', kind);

  it('leaves for every job its key, and for every key its job', async () => {
    const process = await forked('http/killed-process.ts', JSON.stringify(database().address));
    for (let answered = 1; answered < 25; answered++) await once(process, 'message');
    process.kill('SIGKILL');
    await once(process, 'exit');

    const db = await database().tables();
    const jobs = await db.selectFrom('jobs').select(['id', 'title']).orderBy('id').execute();
    const stored = await db.selectFrom('idempotency').select(['key', 'answer_body']).execute();
    const answered = stored.map(({ key, answer_body }) => ({ id: JSON.parse(answer_body).id, title: key }));
    assert.ok(jobs.length >= 25, 'what was answered is there');
    const byId = answered.toSorted((a, b) => a.id - b.id);
    assert.deepEqual(
      byId,
      jobs.map(({ id, title }) => ({ id: Number(id), title })),
    );
  });
});
