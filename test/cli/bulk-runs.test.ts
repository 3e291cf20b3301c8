import assert from 'node:assert/strict';
import { draftSet, emptySet, listingOf, liveSet, newSet, together } from './bulk.ts';

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

  it('takes another form of the same content for no change: order of keys, spaces, a place as text', async () => {
    const set = await draftSet();
    const { title, ...rest } = listingOf('Welder', {
      locations: ['Austin, TX'],
      $schema: './x.json',
    }) as Record<string, unknown>;
    await set.write('b.json', `\ufeff${JSON.stringify({ ...rest, title }, undefined, 7)}\r\n\r\n`);
    const { sent, items } = await set.must();
    assert.deepEqual([sent, items], [[], []]);
  });

  it('only says so where a file is gone; --prune closes its live job and forgets it', async () => {
    const set = await liveSet();
    await set.remove('b.json');
    const left = await set.must();
    assert.deepEqual([left.sent, left.noted], [[], ['NO_LONGER_WANTED']]);
    const { stderr } = await set.home.run('jobs apply jobs');
    assert.match(stderr, /1 left as they are: `partner jobs plan` shows which, and why/);
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
    assert.deepEqual(
      items.map(({ published }) => published),
      [false, true, false],
    );
    assert.deepEqual([summary.created, summary.wentLive], [3, 1]);
  });

  it('is a draft of an earlier run, once --publish is said: published, not made again', async () => {
    const set = await draftSet();
    await set.write('b.json', listingOf('Welder', { salaryMax: 50 }));
    const { sent, done } = await set.must('--publish --concurrency 1');
    assert.deepEqual(done, ['published a.json', 'updated b.json', 'published c.json']);
    assert.deepEqual(sent, [
      'POST /jobs/1/publish',
      'PATCH /jobs/2',
      'POST /jobs/2/publish',
      'POST /jobs/3/publish',
    ]);
    assert.deepEqual((await set.must('--publish')).sent, []);
  });

  it('has to be complete: a draft may lack what --publish asks for', async () => {
    const set = await emptySet();
    const file = await set.write('nurse.json', { title: 'Night nurse' });
    const refused = await set.apply('--publish');
    assert.deepEqual([refused.code, refused.error?.code, refused.sent], [3, 'VALIDATION_FAILED', []]);
    assert.ok(
      Object.keys(refused.error?.fields ?? {}).some((place) => file.endsWith(place.split(':')[0] ?? '-')),
    );
    assert.equal((await set.apply()).code, 0);
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
