import assert from 'node:assert/strict';
import { draftSet, emptySet, type JobSet, listingOf, liveSet, newSet, together } from './bulk.ts';

const it = together();

describe('jobs apply, again and again,', () => {
  it('creates a job for each file the first time, and changes nothing the second', async () => {
    const set = await newSet();
    const first = await set.apply();
    assert.equal(first.code, 0);
    assert.deepEqual(first.done, ['created a.json', 'created b.json', 'created c.json']);
    assert.deepEqual(first.sent, ['POST /jobs', 'POST /jobs', 'POST /jobs']);
    const second = await set.apply();
    assert.equal(second.code, 0);
    assert.deepEqual([second.sent, second.items, second.notices], [[], [], []]);
    assert.deepEqual([second.summary.unchanged, set.home.storedJobs()], [3, 3]);
  });

  it('sends of a changed file the field that changed, and of the others nothing', async () => {
    const set = await draftSet();
    await set.write('b.json', listingOf('Welder', { salaryMax: 50 }));
    const planned = await set.plan();
    assert.deepEqual(planned.done, ['update b.json']);
    assert.deepEqual(planned.items[0]?.changes, [{ field: 'salaryMax', from: 46, to: 50 }]);
    const { code, calls, sent } = await set.apply();
    assert.equal(code, 0);
    assert.deepEqual(sent, ['PATCH /jobs/2']);
    assert.deepEqual(calls.find(({ method }) => method === 'PATCH')?.body, { salaryMax: 50 });
    assert.deepEqual((await set.apply()).sent, []);
  });

  it('empties a field that is taken out of the file', async () => {
    const set = await draftSet();
    await set.write('b.json', listingOf('Welder', { atsJobUrl: undefined, budgets: undefined }));
    const { calls } = await set.must();
    assert.deepEqual(calls.find(({ method }) => method === 'PATCH')?.body, { atsJobUrl: null, budgets: [] });
    assert.deepEqual((await set.apply()).sent, []);
  });

  it('only says so where a file is gone; --prune closes its live job and forgets it', async () => {
    const set = await liveSet();
    await set.remove('b.json');
    const left = await set.must();
    assert.deepEqual([left.sent, left.noted], [[], ['NO_LONGER_WANTED']]);
    const { stderr } = await set.home.run('jobs apply jobs');
    assert.match(stderr, /1 to review: `partner jobs plan` shows which and why/);
    const planned = await set.plan('--prune');
    assert.deepEqual(planned.done, ['close b.json']);
    const pruned = await set.must('--prune --yes');
    assert.deepEqual([pruned.sent, pruned.done], [['POST /jobs/2/close'], ['closed b.json']]);
    assert.deepEqual(await set.jobs(), { 'a.json': 1, 'c.json': 3 });
    assert.deepEqual((await set.must('--prune --yes')).done, []);
  });

  it('closes nothing with --prune where nobody can be asked: exit 2 names --yes', async () => {
    const set = await liveSet();
    await set.remove('b.json');
    const { code, error, sent } = await set.apply('--prune');
    assert.deepEqual([code, error?.code, sent], [2, 'INPUT_REQUIRED', []]);
    assert.match(`${error?.message} ${error?.hint}`, /--yes/);
    assert.deepEqual(await set.jobs(), { 'a.json': 1, 'b.json': 2, 'c.json': 3 });
  });
});

describe('what goes live with jobs apply', () => {
  it('is everything under --publish: created and published in one call', async () => {
    const set = await newSet();
    const { calls, summary } = await set.must('--publish');
    const bodies = calls.filter(({ method }) => method === 'POST').map(({ body }) => body?.publish);
    assert.deepEqual([bodies, summary.wentLive], [[true, true, true], 3]);
  });

  it('is without it what says `publish: true` in its file; the others are drafts', async () => {
    const set = await newSet();
    await set.write('b.json', listingOf('Welder', { publish: true }));
    const { items, summary } = await set.must();
    const publisheds = items.map(({ published }) => published);
    assert.deepEqual(publisheds, [false, true, false]);
    assert.deepEqual([summary.created, summary.wentLive], [3, 1]);
  });

  it('is a draft of an earlier run, once --publish is said: published, not made again', async () => {
    const set = await draftSet();
    await set.write('b.json', listingOf('Welder', { salaryMax: 50 }));
    const { sent, done } = await set.must('--publish --concurrency 1');
    assert.deepEqual(done, ['published a.json', 'updated b.json', 'published c.json']);
    const wanted = ['POST /jobs/1/publish', 'PATCH /jobs/2', 'POST /jobs/2/publish', 'POST /jobs/3/publish'];
    assert.deepEqual(sent, wanted);
    assert.deepEqual((await set.must('--publish')).sent, []);
  });
});

describe('jobs plan', () => {
  it('changes nothing, on the server and beside the files', async () => {
    const set = await newSet();
    const { code, sent, done } = await set.plan('--publish');
    assert.deepEqual([code, sent, done], [0, [], ['create a.json', 'create b.json', 'create c.json']]);
    assert.equal(set.home.storedJobs(), 0);
    await assert.rejects(set.jobs(), /ENOENT/);
  });

  it('ends under --exit-code with 10 where something is to be done, and else with 0', async () => {
    const set = await newSet();
    assert.equal((await set.plan('--exit-code')).code, 10);
    await set.must();
    assert.equal((await set.plan('--exit-code')).code, 0);
    assert.equal((await set.plan('--exit-code --publish')).code, 10);
  });
});

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

async function rowsOf(...titles: string[]): Promise<JobSet> {
  const set = await emptySet();
  await set.write(
    'rows.json',
    titles.map((title) => listingOf(title)),
  );
  await set.must('--publish --concurrency 1');
  return set;
}

const TITLES = ['Driver', 'Baker', 'Porter'];

describe('a fault of the engine that one listing meets', () => {
  it('fails that listing alone: the others are made and remembered', async () => {
    const set = await newSet();
    for (const title of TITLES) await set.write(`${title.toLowerCase()}.json`, listingOf(title));
    set.home.changeStored(`create trigger fault before insert on jobs when new.title = 'Baker'
      begin select raise(abort, 'a fault'); end`);

    const first = await set.apply();
    assert.equal(first.code, 9);
    const failed = first.items.filter(({ error }) => error !== undefined);
    const told = failed.map(({ key, result, error }) => [key, result, error?.code]);
    assert.deepEqual(told, [['baker.json', 'failed', 'UNEXPECTED']]);
    assert.equal(set.home.storedJobs(), 5);
    assert.equal(Object.keys(await set.jobs()).length, 5);

    set.home.changeStored('drop trigger fault');
    const second = await set.must();
    assert.deepEqual(second.sent, ['POST /jobs']);
    assert.equal(set.home.storedJobs(), 6);
    assert.equal(Object.keys(await set.jobs()).length, 6);
  });
});
