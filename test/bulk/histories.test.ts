import assert from 'node:assert/strict';
import { playHistories } from './histories.ts';
import { historyIn } from './history.ts';

describe('in any history of edits to job files', () => {
  it('a job has one opening, an opening has one live job, and a listing keeps its job', async () =>
    assert.deepEqual((await playHistories(1, 3, historyIn())).failures, []));
});
