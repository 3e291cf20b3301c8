import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { LISTING_MS } from '../../src/contract/values.ts';
import { draftSet, type JobSet, listingOf, liveSet, together } from './bulk.ts';

const it = together();

/** A job is frozen once a candidate applies. */
function freeze({ home }: JobSet, jobId: number): void {
  const insert = "insert into applications (job_id, status, received_at) values (?, 'pending', ?)";
  home.changeStored(insert, jobId, new Date().toISOString());
  home.changeStored('insert into job_tallies values (?, 1, 0, 0, 1)', jobId);
}

function expire({ home }: JobSet, jobId: number): void {
  const [published, expired] = [LISTING_MS + 1000, 1000].map((ago) =>
    new Date(Date.now() - ago).toISOString(),
  );
  const update = 'update jobs set published_at = ?, expires_at = ? where id = ?';
  home.changeStored(update, published, expired, jobId);
}

const edit = (set: JobSet, ...flags: string[]) => set.home.must(['jobs', 'update', '2', ...flags]);

describe('a job that was edited on the server', () => {
  it('is left as it is and told of where its file is as it was applied; --overwrite makes it as the file says', async () => {
    const set = await draftSet();
    await edit(set, '--title', 'Chief welder');
    const left = await set.must();
    assert.deepEqual([left.sent, left.items, left.noted], [[], [], ['EDITED_ON_SERVER']]);
    assert.deepEqual(left.notices[0]?.changes, [{ field: 'title', from: 'Chief welder', to: 'Welder' }]);
    const { calls } = await set.must('--overwrite');
    assert.deepEqual(calls.find(({ method }) => method === 'PATCH')?.body, { title: 'Welder' });
    assert.deepEqual((await set.must()).noted, []);
  });

  it('is held where file and server have both changed a field, and the others are done: exit 9', async () => {
    const set = await draftSet();
    await edit(set, '--salary-max', '49');
    await set.write('b.json', listingOf('Welder', { salaryMax: 50 }));
    await set.write('d.json', listingOf('Driver'));
    const { code, done, noted, sent } = await set.apply();
    assert.deepEqual([code, done], [9, ['held b.json', 'created d.json']]);
    assert.deepEqual([noted, sent], [['BOTH_CHANGED'], ['POST /jobs']]);
    const again = await set.apply();
    assert.deepEqual([again.code, again.done], [11, ['held b.json']], 'nothing is settled by itself');
    assert.deepEqual((await set.must('--overwrite')).sent, ['PATCH /jobs/2']);
  });

  it('is taken over into the file with `jobs export`, as the hint says', async () => {
    const set = await draftSet();
    await edit(set, '--title', 'Chief welder');
    const { notices } = await set.must();
    assert.match(notices[0]?.notes?.[0]?.hint ?? '', /`partner jobs export 2`/);
    const { stdout } = await set.home.run('jobs export 2');
    await set.write('b.json', stdout);
    const { sent, noted } = await set.must();
    assert.deepEqual([sent, noted], [[], []]);
  });
});

describe('a job with applications', () => {
  it('takes every change but those of qualifications and questions, which are named: section 3, rule 4', async () => {
    const set = await liveSet();
    freeze(set, 2);
    const qualifications = [{ text: 'Another license', kind: 'REQUIRED', order: 1 }];
    await set.write('b.json', listingOf('Welder', { salaryMax: 50, qualifications }));
    const { code, calls, noted } = await set.apply();
    assert.deepEqual([code, noted], [9, ['FROZEN']]);
    assert.deepEqual(calls.find(({ method }) => method === 'PATCH')?.body, { salaryMax: 50 });
    const again = await set.apply();
    const expected = [11, [], ['held b.json']];
    assert.deepEqual([again.code, again.sent, again.done], expected, 'it is told until it is mended');
    await set.write('b.json', listingOf('Welder', { salaryMax: 50 }));
    assert.deepEqual((await set.must()).sent, []);
  });
});

describe('a job that is not live any more', () => {
  it('stays paused where somebody has paused it, and takes changes', async () => {
    const set = await liveSet();
    await set.home.must('jobs pause 2');
    const left = await set.must('--publish');
    assert.deepEqual([left.sent, left.noted], [[], ['PAUSED']]);
    await set.write('b.json', listingOf('Welder', { salaryMax: 50 }));
    const { sent, noted } = await set.must('--publish');
    assert.deepEqual([sent, noted], [['PATCH /jobs/2'], ['PAUSED']]);
    const job = await set.home.must<{ status: string }>('jobs get 2');
    assert.equal(job.status, 'PAUSED');
  });

  it('is followed by a new one where the hint about a closed job is done: repost, then --adopt', async () => {
    const set = await liveSet();
    await set.home.must('jobs close 2 --yes');
    const { id } = await set.home.must<{ id: number }>('jobs repost 2');
    const adopted = await set.must(['--publish', '--adopt', `b.json=${id}`]);
    assert.deepEqual(adopted.sent, [`POST /jobs/${id}/publish`]);
    assert.equal((await set.jobs())['b.json'], id);
    assert.deepEqual((await set.must('--publish')).noted, []);
  });

  it('is told to have expired; --repost makes a new one of the listing, once', async () => {
    const set = await liveSet();
    expire(set, 2);
    for (const [flags, exit] of [
      ['--publish', 9],
      ['--publish --only failed', 11],
    ] as const) {
      const { code, sent, items, summary } = await set.apply(flags);
      assert.deepEqual([code, sent, items[0]?.notLive, summary.notLive], [exit, [], 'EXPIRED', 1]);
    }
    const { sent, items } = await set.must('--publish --only failed --repost');
    assert.deepEqual([sent, items[0]?.jobId], [['POST /jobs'], 4]);
    assert.equal((await set.jobs())['b.json'], 4);
    assert.deepEqual((await set.must('--publish --repost')).done, []);
  });

  it('is held where the server does not know it; --recreate makes it again, once', async () => {
    const set = await liveSet();
    set.home.changeStored('delete from jobs where id = 2');
    const held = await set.apply('--publish');
    assert.deepEqual([held.code, held.sent, held.noted], [9, [], ['JOB_GONE']]);
    const { sent, items } = await set.must('--publish --recreate');
    assert.deepEqual([sent, items[0]?.jobId], [['POST /jobs'], 4]);
    assert.deepEqual((await set.must('--publish --recreate')).done, []);
  });
});

describe('a state that is lost', () => {
  const lost = async (): Promise<JobSet> => {
    const set = await draftSet();
    await rm(`${set.home.path}/jobs/.partner`, { recursive: true });
    // With its idempotency keys, the server would treat the run as a second checkout (two-runners.test.ts).
    set.home.changeStored('delete from idempotency');
    return set;
  };

  it('is not taken for a first run: exit 6, nothing created', async () => {
    const set = await lost();
    const { code, error } = await set.apply();
    assert.deepEqual([code, error?.code, set.home.storedJobs()], [6, 'JOBS_ALREADY_THERE', 3]);
    assert.match(
      error?.message ?? '',
      /identical jobs for 3 listings already exist on the server \(a\.json is identical to job 1\)/,
    );
  });

  it('is found again on the server with --rebuild, changed files included', async () => {
    const set = await lost();
    await set.write('b.json', listingOf('Welder', { salaryMax: 50 }));
    await set.write('d.json', listingOf('Driver'));
    const { calls, done } = await set.must('--rebuild');
    assert.deepEqual(done, ['updated b.json', 'created d.json']);
    assert.deepEqual(calls.find(({ method }) => method === 'PATCH')?.body, { salaryMax: 50 });
    assert.deepEqual(await set.jobs(), { 'a.json': 1, 'b.json': 2, 'c.json': 3, 'd.json': 4 });
    assert.deepEqual((await set.must()).done, []);
  });

  it('is left lost with --create-anyway: further jobs are made', async () => {
    const set = await lost();
    assert.deepEqual((await set.must('--create-anyway')).sent, ['POST /jobs', 'POST /jobs', 'POST /jobs']);
    assert.equal(set.home.storedJobs(), 6);
  });
});

describe('a state from before the last run', () => {
  /** A file was renamed, another took its name, and the state from before both changes was restored. */
  const renamed = async (): Promise<JobSet> => {
    const set = await draftSet();
    const state = `${set.home.path}/jobs/.partner/state.json`;
    const before = await readFile(state);
    await set.write('n.json', listingOf('Nurse', { salaryMax: 50 }));
    await set.write('a.json', listingOf('Teacher'));
    await set.must();
    assert.deepEqual(await set.jobs(), { 'a.json': 4, 'b.json': 2, 'c.json': 3, 'n.json': 1 });
    await writeFile(state, before);
    return set;
  };

  it('is caught up by --rebuild with both, and the renamed one keeps its job', async () => {
    const set = await renamed();
    const planned = await set.plan('--rebuild --out plan.json');
    assert.deepEqual(planned.done, ['record n.json']);
    assert.deepEqual((await set.must('--plan plan.json', { paths: [] })).sent, []);
    assert.deepEqual(await set.jobs(), { 'a.json': 4, 'b.json': 2, 'c.json': 3, 'n.json': 1 });
    assert.deepEqual((await set.must()).done, []);
  });
});
