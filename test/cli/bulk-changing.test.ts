import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { emptySet, listingOf } from './bulk.ts';

/** More text than is kept between the reading and the sending: the last listings are read once more. */
const COUNT = 100;
const LOOK_EVERY_MS = 5;

describe('a file that changes while it is applied', () => {
  it('is not half applied: what changed is not sent and told of; the next run does it', async () => {
    const set = await emptySet();
    const description = 'x'.repeat(100_000);
    const lines = (last: object) =>
      Array.from({ length: COUNT }, (_, index) =>
        JSON.stringify(listingOf(`Listing ${index}`, { description, ...(index === COUNT - 1 ? last : {}) })),
      ).join('\n');
    await set.write('all.ndjson', lines({}));
    const changed = await set.home.file('changed', lines({ salaryMax: 50 }));
    const run = set.home.start(['jobs', 'apply', 'jobs', '--json', '--concurrency', '2']);
    const journal = join(set.home.path, 'jobs/.partner/state.journal.ndjson');
    while (!existsSync(journal)) await pause(LOOK_EVERY_MS);
    await rename(changed, join(set.home.path, 'jobs/all.ndjson'));
    const { code, stderr, json } = await run.ended;
    const { items } = json() as { items: { result: string; error?: { code: string; message: string } }[] };
    const failed = items.filter(({ result }) => result !== 'created');
    assert.deepEqual([code, failed.length], [9, 1], stderr);
    assert.equal(failed[0]?.error?.code, 'FILE_INVALID');
    assert.match(
      failed[0]?.error?.message ?? '',
      /has changed since it was checked: nothing was sent for it/,
    );
    assert.equal(set.home.storedJobs(), COUNT - 1);
    // Without the trace that `set` reads: it would hold every description.
    const next = await set.home.must<{ summary: { created: number } }>(['jobs', 'apply', 'jobs']);
    assert.deepEqual([next.summary.created, set.home.storedJobs()], [1, COUNT]);
  });
});
