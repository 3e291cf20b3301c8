import assert from 'node:assert/strict';
import { emptySet, type JobSet, listingOf, liveSet } from './bulk.ts';

const PRUNING = ['--publish', '--keep-going', '--prune', '--yes'];

describe('jobs apply --prune --keep-going', () => {
  it('closes no job whose listing may be an invalid one: a file that was renamed, and broken with it', async () => {
    const set = await liveSet();
    await set.remove('a.json');
    await set.write('nurse.json', listingOf('Nurse', { salaryMin: 'a lot' }));
    const { code, sent } = await set.apply(PRUNING);
    assert.deepEqual([code, sent], [11, []]);
    await set.write('nurse.json', listingOf('Nurse'));
    const mended = await set.must(PRUNING);
    assert.deepEqual([mended.sent, mended.done], [[], ['recorded nurse.json']]);
  });

  it('closes none of a file in which a row is invalid and others have moved; once mended it closes what is gone', async () => {
    const set = await rowsOf('Nurse', 'Welder', 'Cook');
    await set.write('rows.json', [listingOf('Welder', { salaryMin: 'a lot' }), listingOf('Cook')]);
    assert.deepEqual((await set.apply(PRUNING)).sent, []);
    await set.write('rows.json', [listingOf('Welder'), listingOf('Cook')]);
    assert.deepEqual((await set.must(PRUNING)).sent, ['POST /jobs/1/close']);
  });
});

/** Applied and live: jobs 1, 2 and so on, in this order. */
async function rowsOf(...titles: string[]): Promise<JobSet> {
  const set = await emptySet();
  await set.write(
    'rows.json',
    titles.map((title) => listingOf(title)),
  );
  await set.must('--publish --concurrency 1');
  return set;
}
