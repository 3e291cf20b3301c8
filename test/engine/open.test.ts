import assert from 'node:assert/strict';
import { PartnerError } from '../../src/contract/errors.ts';
import { openEngine } from '../../src/engine/open.ts';
import { sqliteFile } from '../../src/engine/store/address.ts';
import { callOf } from './engine-under-test.ts';
import { temporaryDirectory } from './temporary-directory.ts';

describe('the bundled engine', () => {
  const path = temporaryDirectory();

  it('opens its places only when one is asked for', async () => {
    const bugs: unknown[] = [];
    const engine = await openEngine({
      database: sqliteFile(path('no-places.db')),
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
