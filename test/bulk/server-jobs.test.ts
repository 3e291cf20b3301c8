import assert from 'node:assert/strict';
import { suggestResolution } from '../../src/bulk/apply/resolve-pending.ts';
import { unclaimedJobs } from '../../src/bulk/server-jobs.ts';
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
    assert.match(ways.get('a.json') ?? '', /^none of the newest jobs of the server is like it/);
    assert.equal(pages(), 20);
  });

  it('keeps of the newest jobs those that are sought', async () => {
    const { client } = endlessList();
    const jobs = await unclaimedJobs(client, new Set([3]), [SOUGHT]);
    assert.deepEqual(
      jobs?.ofOpening('r 7').map(({ id }) => id),
      [1, 5, 7, 9, 11, 13, 15, 17, 19],
    );
    assert.deepEqual(jobs?.ofOpening('other'), []);
  });
});
