import assert from 'node:assert/strict';
import { listingOf, liveSet } from './bulk.ts';

describe('jobs apply --only failed', () => {
  it('does not end well where what failed has another name now, nor forgets that it has failed', async () => {
    const set = await liveSet();
    await set.write('d.json', listingOf('Driver', { salaryMin: 'a lot' }));
    await set.apply('--publish --keep-going');
    await set.remove('d.json');
    await set.write('driver.json', listingOf('Driver'));
    for (const _ of ['once', 'and once more']) {
      const { code, error, sent } = await set.apply('--publish --only failed');
      assert.deepEqual([code, error?.code, sent], [2, 'USAGE', []]);
      assert.match(error?.message ?? '', /^d\.json failed in the last apply/);
    }
    assert.deepEqual((await set.must('--publish')).done, ['created driver.json']);
  });
});
