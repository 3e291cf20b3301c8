import assert from 'node:assert/strict';
import { loadUnclaimedJobs } from '../../src/bulk/server-jobs.ts';
import { endlessList, NONE, SOUGHT } from '../bulk/endless-list.ts';
import { failureOf } from '../client/client-under-test.ts';

describe('a list of jobs without end', () => {
  it('ends a --rebuild with an error, and never in a state that lacks a part', async () => {
    const { client, pages } = endlessList();
    const error = await failureOf(loadUnclaimedJobs(client, NONE, [SOUGHT], 'all'), 'ANSWER_UNREADABLE');
    assert.match(error.message, /doesn't end within 10000 pages \(10000 jobs\)/);
    assert.equal(pages(), 10_000);
  });
});
