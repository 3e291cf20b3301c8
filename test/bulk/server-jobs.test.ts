import assert from 'node:assert/strict';
import { suggestResolution } from '../../src/bulk/apply/resolve-pending.ts';
import { loadUnclaimedJobs } from '../../src/bulk/server-jobs.ts';
import type { Intent } from '../../src/bulk/state/state.ts';
import { endlessList, NONE, SOUGHT } from './endless-list.ts';

describe('a list of jobs without end', () => {
  it('is read for twenty pages after a create of unknown outcome', async () => {
    const { client, pages } = endlessList();
    const intent: Intent = {
      key: 'a.json',
      idempotencyKey: 'key',
      at: 0,
      body: { title: 'Welder' },
      keyDigest: 'k',
    };
    const ways = await suggestResolution([intent], client, NONE);
    assert.match(ways.get('a.json') ?? '', /^none of the server's newest jobs matches it/);
    assert.equal(pages(), 20);
  });

  it('keeps of the newest jobs those that are sought', async () => {
    const { client } = endlessList();
    const jobs = await loadUnclaimedJobs(client, new Set([3]), [SOUGHT]);
    const ids = jobs?.findNamed('opening', 'r 7').map(({ id }) => id);
    assert.deepEqual(ids, [1, 5, 7, 9, 11, 13, 15, 17, 19]);
    assert.deepEqual(jobs?.findNamed('opening', 'other'), []);
  });
});
