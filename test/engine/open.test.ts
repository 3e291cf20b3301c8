import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
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

  it('takes the time from its clock', async () => {
    const now = Date.parse('2031-05-06T07:08:09.010Z');
    const engine = await openEngine({ databasePath: path('clock.db'), placesPath: '', clock: () => now });
    const { id } = await engine.operator.companies.create('Acme');
    await engine.operator.keys.create(id);
    const [key] = await engine.operator.keys.list();
    assert.equal(key?.createdAt, '2031-05-06T07:08:09.010Z');
    await engine.close();
  });

  it('does not open on what is no database of its own', async () => {
    writeFileSync(path('notes.txt'), 'Remember the milk. '.repeat(50));
    const opening = openEngine({ databasePath: path('notes.txt'), placesPath: '' });
    await assert.rejects(opening, ({ code }: PartnerError) => code === 'DATABASE_UNUSABLE');
    assert.match(readFileSync(path('notes.txt'), 'utf8'), /^Remember/);
  });
});
