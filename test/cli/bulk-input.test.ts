import assert from 'node:assert/strict';
import { emptySet, type JobSet, listingOf, together } from './bulk.ts';
import WRONG from './bulk-flags.json' with { type: 'json' };

const it = together();

async function thousand(set: JobSet): Promise<void> {
  const lines = Array.from({ length: 1000 }, (_, index) =>
    JSON.stringify(listingOf(`Listing ${index}`, index === 613 ? { jobLevel: 'MIDDLE' } : {})),
  );
  await set.write('all.ndjson', `${lines.join('\n')}\n`);
}

describe('a listing that is wrong', () => {
  it('among 1,000 stops the run before its first call, and is named by file, line and column', async () => {
    const set = await emptySet();
    await thousand(set);
    const [planned, applied] = [await set.plan('--publish'), await set.apply('--publish')];
    for (const { code, error, calls } of [planned, applied]) {
      assert.deepEqual([code, error?.code, calls], [3, 'VALIDATION_FAILED', []]);
      assert.match(error?.message ?? '', /^1 of 1,000 listings is invalid\. Nothing was sent$/);
      const [place = '', ...others] = Object.keys(error?.fields ?? {});
      assert.match(place, /jobs\/all\.ndjson:614:\d+ jobLevel$/);
      assert.deepEqual(others, []);
    }
    assert.equal(set.home.storedJobs(), 0);
  });

  it('is left out under --keep-going, and the others are done: exit 9; mended it is created, alone', async () => {
    const set = await emptySet();
    await set.write('a.json', listingOf('Nurse'));
    await set.write('b.json', listingOf('Welder', { jobLevel: 'MIDDLE' }));
    await set.write('c.json', '{"title": ');
    const first = await set.apply('--keep-going');
    assert.deepEqual([first.code, first.done], [9, ['created a.json']]);
    assert.match(first.stderr, /2 of 3 listings are invalid/);
    await set.write('b.json', listingOf('Welder'));
    await set.write('c.json', listingOf('Cook'));
    const only = await set.must('--only failed');
    assert.deepEqual(only.done, ['created b.json', 'created c.json']);
    assert.deepEqual((await set.must()).done, []);
  });

  it('is exit 2 where there is none, with a word on what to give', async () => {
    const set = await emptySet();
    await set.write('readme.txt', 'nothing here');
    for (const paths of [['jobs'], ['jbos'], ['jobs/*.json'], ['']]) {
      const { code, error, calls } = await set.apply([], { paths });
      assert.deepEqual([code, calls], [2, []]);
      assert.ok(error?.hint, error?.message);
    }
  });
});

describe('a flag that makes no sense', () => {
  it('is exit 2, says what to give, and sends nothing', async () => {
    const set = await emptySet();
    await set.write('a.json', listingOf('Nurse'));
    await Promise.all(
      WRONG.map(async ([flags = '', says = '']) => {
        // Each run has a separate state, so that none waits for another's lock.
        const state = flags.replace(/\W/g, '');
        const { code, error, sent } = await set.apply(`${flags} --state ${state}.json`);
        assert.deepEqual([code, error?.code, sent], [2, 'USAGE', []], flags);
        assert.match(`${error?.message} ${error?.hint}`, new RegExp(says));
      }),
    );
  });
});
