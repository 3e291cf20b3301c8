import assert from 'node:assert/strict';
import { suggestResolution } from '../../src/bulk/apply/resolve-pending.ts';
import { loadUnclaimedJobs } from '../../src/bulk/server-jobs.ts';
import type { Intent } from '../../src/bulk/state/state.ts';
import { endlessList, NONE, SOUGHT } from './endless-list.ts';

describe('an endless list of jobs', () => {
  it('is read for 20 pages if the result of a create is unknown', async () => {
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

  it('keeps only the matching jobs among the newest ones', async () => {
    const { client } = endlessList();
    const jobs = await loadUnclaimedJobs(client, new Set([3]), [SOUGHT]);
    const ids = jobs?.findNamed('opening', 'r 7').map(({ id }) => id);
    assert.deepEqual(ids, [1, 5, 7, 9, 11, 13, 15, 17, 19]);
    assert.deepEqual(jobs?.findNamed('opening', 'other'), []);
  });
});
