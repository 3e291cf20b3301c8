import assert from 'node:assert/strict';
import { playHistories } from './histories.ts';
import { historyIn } from './history.ts';

describe('in any history of edits to job files', function () {
  this.timeout(120_000);

  it('no job serves two openings, no opening has two live jobs, and the same listing keeps its job', async () =>
    assert.deepEqual((await playHistories(1, 3, historyIn())).failures, []));
});
