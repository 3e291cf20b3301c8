import assert from 'node:assert/strict';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { openJournal } from '../../src/bulk/state/journal.ts';
import { readState } from '../../src/bulk/state/state-file.ts';
import { stateDigest } from '../../src/bulk/state/state-text.ts';
import { emptySet, type JobSet, listingOf } from './bulk.ts';

/** What a run leaves that was killed when it had written down what it knows of row 1. */
async function killedBeside(set: JobSet): Promise<void> {
  const state = readState(set.statePath);
  const entry = state?.listings.get('rows.json#1');
  assert.ok(state !== undefined && entry !== undefined);
  const { server } = state;
  const run = { server, now: () => 1000, runId: 'killed', host: 'here', pid: 7, state: stateDigest(state) };
  const journal = await openJournal(set.statePath, run);
  journal.record({ kind: 'entry', key: 'rows.json#1', entry });
  await journal.close();
}

describe('the journal of a killed run', () => {
  it('takes no job from a listing of a newer state: from a cache, beside a state from git, it is refused', async () => {
    const set = await emptySet();
    const journalPath = set.statePath.replace('.json', '.journal.ndjson');
    const opportunityId = null;
    await set.write('rows.json', [
      listingOf('Nurse', { opportunityId }),
      listingOf('Cook', { opportunityId }),
    ]);
    await set.must('--concurrency 1');
    const stateThen = await readFile(set.statePath);
    await killedBeside(set);
    const cached = `${set.home.path}/cached.ndjson`;
    await cp(journalPath, cached);
    await set.must();

    await set.write('rows.json', [
      listingOf('Cook', { opportunityId }),
      listingOf('Welder', { opportunityId }),
    ]);
    await set.must();
    const jobs = await set.jobs();
    assert.deepEqual([jobs['rows.json'], jobs['rows.json#1']], [2, 3]);
    await cp(cached, journalPath);
    for (const refused of [await set.plan(), await set.apply()]) {
      assert.deepEqual([refused.error?.code, refused.sent], ['STATE_UNUSABLE', []]);
      assert.match(refused.error?.message ?? '', /another state than the one that is there now/);
    }
    assert.deepEqual(await set.jobs(), jobs);
    await rm(journalPath);
    assert.deepEqual((await set.must('--rebuild')).sent, [], 'as the hint says');

    await writeFile(set.statePath, stateThen);
    await cp(cached, journalPath);
    // It belongs to that state, which does not know of the job that row 1 is by now.
    assert.equal((await set.plan()).error?.code, 'JOBS_ALREADY_THERE');
    assert.equal((await set.plan('--rebuild')).code, 0);
  });
});
