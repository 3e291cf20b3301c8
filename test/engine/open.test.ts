import assert from 'node:assert/strict';
import { PartnerError } from '../../src/contract/errors.ts';
import { openEngine } from '../../src/engine/open.ts';
import { callOf } from './engine-under-test.ts';
import { COMPLETE } from './listing.ts';
import { temporaryDirectory } from './temporary-directory.ts';

describe('the bundled engine', () => {
  const path = temporaryDirectory();

  it('opens on nothing but two paths, and keeps what it answered over a restart', async () => {
    const options = { databasePath: path('partner.db'), placesPath: path('no-places.bin') };
    const listing = { ...COMPLETE, locations: [] };
    const first = await openEngine(options);
    const { key } = await first.localKey(path('local.key'));
    const { status, body: job } = await callOf(first.fetch, key, 'POST', '/jobs', listing);
    assert.equal(status, 201);
    await first.close();

    const second = await openEngine(options);
    assert.equal((await second.localKey(path('local.key'))).key, key);
    assert.deepEqual((await callOf(second.fetch, key, 'GET', `/jobs/${job.id}`)).body, job);
    await second.close();
  });

  it('opens its places only when one is asked for', async () => {
    const bugs: unknown[] = [];
    const engine = await openEngine({
      databasePath: path('no-places.db'),
      placesPath: path('no-places.bin'),
      reportBug: (error) => bugs.push(error),
    });
    const { key } = await engine.localKey(path('no-places.key'));
    assert.equal((await callOf(engine.fetch, key, 'POST', '/jobs', {})).status, 201);
    assert.equal((await callOf(engine.fetch, key, 'GET', '/locations/search?q=bost')).status, 500);
    assert.ok(bugs[0] instanceof PartnerError);
    assert.equal(bugs[0].code, 'FILE_UNREADABLE');
    assert.throws(() => engine.places.byId(1), PartnerError);
    await engine.close();
  });
});
