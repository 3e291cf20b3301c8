import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sqliteFile } from '../../src/engine/store/address.ts';
import { dashboardOn } from './dashboard/dashboard-under-test.ts';
import { type EngineUnderTest, engineOn } from './engine-under-test.ts';
import { COMPLETE } from './listing.ts';
import { databaseAt } from './store/dialects.ts';
import { temporaryDirectory } from './temporary-directory.ts';

describe('an engine whose data directory is deleted', () => {
  const path = temporaryDirectory();
  let engine: EngineUnderTest;
  beforeEach(async () => {
    mkdirSync(path('data'));
    engine = await engineOn(databaseAt(sqliteFile(path('data/partner.db'))));
  });
  afterEach(async () => {
    await engine.store.close();
    rmSync(path('data'), { recursive: true, force: true });
  });

  // Requests over a socket each arrive in a separate turn of the event loop.
  const status = async (address: string) => {
    await nextTurn();
    return (await engine.fetch(new Request(`http://localhost${address}`))).status;
  };
  const health = async () => [await status('/healthz'), await status('/readyz')];

  it('lives on, is not ready, and answers 503 with Retry-After on every side', async () => {
    assert.deepEqual(await health(), [200, 200]);
    rmSync(path('data'), { recursive: true });
    assert.deepEqual(await health(), [200, 503]);
    for (const [method, body] of [['GET'], ['POST', COMPLETE]] as const) {
      const answer = await engine.call(method, '/jobs', body);
      assert.deepEqual([answer.status, answer.body.error.code], [503, 'UNAVAILABLE']);
      assert.equal(answer.headers.get('retry-after'), '5');
    }
    assert.equal(await status('/candidate/v1/jobs'), 503);
    assert.match(String(engine.bugs[0]), /deleted, moved or replaced/);
  });

  it('does not take another file in its place for its database', async () => {
    renameSync(path('data/partner.db'), path('data/elsewhere.db'));
    writeFileSync(path('data/partner.db'), '');
    assert.equal((await engine.call('POST', '/jobs', COMPLETE)).status, 503);
  });

  it('works again once the file is back', async () => {
    renameSync(path('data/partner.db'), path('data/elsewhere.db'));
    assert.deepEqual(await health(), [200, 503]);
    renameSync(path('data/elsewhere.db'), path('data/partner.db'));
    assert.deepEqual(await health(), [200, 200]);
    assert.equal((await engine.call('POST', '/jobs', COMPLETE)).status, 201);
  });

  it('shows the page of a problem in the dashboard', async () => {
    const dashboard = await dashboardOn(databaseAt(sqliteFile(path('data/dashboard.db'))));
    rmSync(path('data'), { recursive: true });
    const page = await dashboard.browser().get('/dashboard');
    await dashboard.engine.store.close();
    assert.equal(page.status, 503);
    assert.match(page.text, /can&#39;t use its database/);
  });
});
