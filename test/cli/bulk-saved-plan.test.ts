import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { draftSet, type JobSet, listingOf, liveSet, newSet, together } from './bulk.ts';

const it = together();

async function saved(set: JobSet, ...flags: string[]): Promise<string> {
  const { code, stderr } = await set.plan(['--out', 'plan.json', ...flags]);
  assert.equal(code, 0, stderr);
  return 'plan.json';
}

const byPlan = (set: JobSet, flags: readonly string[] = []) =>
  set.apply(['--plan', 'plan.json', ...flags], { paths: [] });

describe('apply --plan', () => {
  it('does what plan --out saved, with the flags that it was planned with', async () => {
    const set = await newSet();
    await saved(set, '--publish');
    const { code, done, summary } = await byPlan(set);
    assert.equal(code, 0);
    assert.deepEqual(done, ['created a.json', 'created b.json', 'created c.json']);
    assert.equal(summary.wentLive, 3);
    assert.deepEqual((await set.must('--publish')).done, []);
  });

  it('asks nothing about closing: the plan was read', async () => {
    const set = await liveSet();
    await set.remove('b.json');
    await saved(set, '--prune');
    const { code, sent } = await byPlan(set);
    assert.deepEqual([code, sent], [0, ['POST /jobs/2/close']]);
  });

  const MOVES: Readonly<Record<string, readonly [move: (set: JobSet) => Promise<unknown>, says: RegExp]>> = {
    'a file has changed': [
      (set) => set.write('b.json', listingOf('Welder', { salaryMax: 51 })),
      /"b\.json":"[^"]*(?:in its file|changed)/,
    ],
    'a file is new': [(set) => set.write('d.json', listingOf('Driver')), /"d\.json":"[^"]*wasn't planned/],
    'the state has moved: somebody applied it': [(set) => set.must(), /"b\.json":"no longer needs changes/],
    'the state has moved: it is lost': [
      async ({ home }) => {
        await rm(join(home.path, 'jobs/.partner'), { recursive: true });
        await home.must('engine clock advance 24h');
      },
      /create|already exist on the server/,
    ],
    'the server has moved: the same field was edited': [
      (set) => set.home.must('jobs update 2 --salary-max 49'),
      /"b\.json":"was planned as `update`, but is now `held`/,
    ],
  };
  for (const [when, [move, says]] of Object.entries(MOVES))
    it(`is refused with exit 6 and nothing sent where ${when}`, async () => {
      const set = await draftSet();
      await set.write('b.json', listingOf('Welder', { salaryMax: 50 }));
      await saved(set);
      await move(set);
      const { code, error, sent } = await byPlan(set);
      const isLost = /lost/.test(when);
      // One create that the server must refuse shows whether another run created the job.
      assert.deepEqual([code, sent, set.home.storedJobs()], [6, isLost ? ['POST /jobs'] : [], 3]);
      assert.equal(error?.code, isLost ? 'JOBS_ALREADY_THERE' : 'PLAN_OUTDATED');
      assert.match(`${error?.message} ${JSON.stringify(error?.fields)}`, says);
    });

  it('is refused with exit 6 where the calls go to another server than it was planned for', async () => {
    const set = await newSet();
    await saved(set);
    const env = { PARTNER_BASE_URL: 'http://127.0.0.1:4650/v1', PARTNER_API_KEY: 'sk_ext_4c1d9f3c2ab7e8d6' };
    const { code, error, calls } = await set.apply('--plan plan.json', { paths: [], env });
    assert.deepEqual([code, error?.code, calls], [6, 'PLAN_OUTDATED', []]);
    assert.match(error?.message ?? '', /http:\/\/localhost\/v1.*http:\/\/127\.0\.0\.1:4650\/v1/);
  });

  it('is refused with exit 2 beside paths, and for a file that is missing', async () => {
    const set = await newSet();
    const [paths, missing] = await Promise.all([
      set.apply('--plan plan.json'),
      set.apply('--plan no-such.json', { paths: [] }),
    ]);
    assert.deepEqual([paths.code, paths.error?.code], [2, 'USAGE']);
    assert.deepEqual([missing.code, missing.error?.code], [2, 'FILE_UNREADABLE']);
  });

  it('is refused with exit 2 beside a flag that it was planned with or without', async () => {
    const set = await newSet();
    await saved(set);
    const flags = '--publish --prune --overwrite --repost --recreate --rebuild --create-anyway --keep-going';
    for (const flag of [...flags.split(' '), '--state=kept.json', '--only=failed']) {
      const { code, error, calls } = await byPlan(set, [flag, '--yes']);
      assert.deepEqual([code, error?.code, calls], [2, 'USAGE', []], flag);
      const [name] = flag.split('=');
      assert.ok(error?.message.startsWith(`a saved plan can't be combined with ${name}`), error?.message);
    }
  });

  it('is refused with exit 3 where the file is no plan of this release', async () => {
    const set = await newSet();
    const newer = { version: 99, plan: { items: [] }, request: { paths: ['jobs'] } };
    for (const content of [listingOf('Nurse'), '{"version": 1, ', '', newer]) {
      await set.home.file('plan.json', content);
      const { code, error, calls } = await byPlan(set);
      assert.deepEqual([code, error?.code, calls], [3, 'FILE_INVALID', []]);
      assert.match(error?.hint ?? '', /--out/);
    }
  });

  it('is told to be missing where it cannot be saved', async () => {
    const set = await newSet();
    await set.home.file('file', '');
    const { code, error } = await set.plan('--out file/plan.json');
    assert.deepEqual([code, error?.code], [1, 'OUTPUT_UNWRITABLE']);
    assert.match(error?.message ?? '', /can't write the plan file\/plan\.json/);
  });

  it('asks for nothing but what it was planned with, whatever else is written into it', async () => {
    const set = await newSet();
    const file = join(set.home.path, await saved(set));
    const plan = JSON.parse(await readFile(file, 'utf8'));
    Object.assign(plan.request, { concurrency: 0, onlyFailed: true, interrupted: null });
    await set.home.file('plan.json', plan);
    const { code, sent } = await byPlan(set);
    assert.deepEqual([code, sent.length], [0, 3]);
  });
});
