import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { emptySet, type JobSet, listingOf } from './bulk.ts';
import { runnersOn } from './runners.ts';
import ROWS from './two-runners.json' with { type: 'json' };

const CHECK = '--publish --fail-on-drift --exit-code';

describe('two runners that apply the same files at the same time', () => {
  for (const lists of [true, false])
    it(`make one job per listing if the server honors keys${lists ? '' : " and can't list jobs"}`, async () => {
      const { sets, options, applyAll, live, close } = await runnersOn({ lists, together: 2 }, 2, 4);
      const runs = await applyAll();
      const summaries = runs.map((run) => (run.json() as { summary: Record<string, number> }).summary);
      const total = (name: string) => summaries.reduce((sum, of) => sum + (of[name] ?? 0), 0);
      assert.deepEqual([runs.map(({ code }) => code), await live()], [[0, 0], 4]);
      assert.deepEqual([total('created'), total('recorded'), total('live')], [4, 4, 8]);
      for (const set of sets) assert.equal((await set.plan(CHECK, options)).code, 0);
      await close();
    });

  it('make no second job of another version of a listing, and hold it', async () => {
    const { sets, options, live, close } = await runnersOn({ lists: false }, 2, 2);
    const [one, other] = sets as [JobSet, JobSet];
    await one.must('--publish --concurrency 1', options);
    await other.write('job-1.json', listingOf('Nurse 1', { salaryMax: 52 }));
    const { code, done, items } = await other.apply('--publish', options);
    assert.deepEqual([code, done], [9, ['held job-1.json', 'recorded job-2.json']]);
    assert.match(items[0]?.error?.hint ?? '', /--adopt job-1\.json=ID.*--create-anyway/);
    await other.must('--publish --adopt job-1.json=1', options);
    assert.equal(await live(), 2);
    await close();
  });

  it('name every duplicate in every report if the server honors no keys', async () => {
    const { sets, options, applyAll, live, close } = await runnersOn({ keys: false, together: 2 }, 2, 4);
    assert.deepEqual([(await applyAll()).map(({ code }) => code), await live()], [[9, 9], 8]);
    const [set] = sets as [JobSet];
    const reports = ['json', 'markdown', 'junit'].map((format) => `--report ${format}=report.${format}`);
    const plan = await set.plan(`${CHECK} --report github ${reports.join(' ')}`, options);
    const ids = plan.notices.map(({ jobId }) => jobId);
    assert.deepEqual([plan.code, new Set(plan.noted).size, new Set(ids).size], [10, 1, 4]);
    const shown = ['json', 'markdown', 'junit'].map((name) =>
      readFileSync(join(set.home.path, `report.${name}`), 'utf8'),
    );
    for (const text of [plan.stderr, ...shown])
      for (const id of ids)
        for (const way of ['--adopt', '--ignore', 'jobs close'])
          assert.match(text, new RegExp(`${way} (?:job-\\d\\.json=)?${id}`));
    const [first, ...others] = ids.map(String);
    await set.home.must(['jobs', 'close', ...others, '--yes'], options);
    await set.must(`--publish --ignore ${first}`, options);
    assert.deepEqual([(await set.plan(CHECK, options)).code, await live()], [0, 5]);
    await close();
  });
});

describe('a checkout that is applied after another one of the same files', () => {
  const checkouts = async (listings: number, first = '--publish') => {
    const set = await emptySet();
    const write = (name: string, at: number, over?: object) =>
      set.write(`../${name}/jobs/job-${at}.json`, listingOf(`Nurse ${at}`, over));
    const apply = (name: string, flags = '--publish') => set.apply(flags, { paths: [`${name}/jobs`] });
    for (const name of ['a', 'b']) {
      await mkdir(join(set.home.path, name, '.git'), { recursive: true });
      for (let at = 1; at <= listings; at++) await write(name, at);
    }
    assert.equal((await apply('a', first)).code, 0);
    return { set, write, apply };
  };

  it('adopts each of its jobs if the server honors keys', async () => {
    const { set, apply } = await checkouts(16);
    const { code, summary, noted } = await apply('b');
    assert.deepEqual([code, summary.recorded, summary.live, noted.length], [0, 16, 16, 16]);
    assert.deepEqual(new Set(noted), new Set(['CREATED_ELSEWHERE']));
    const state = (name: string) => set.jobs(join(set.home.path, name, 'jobs/.partner/state.json'));
    assert.deepEqual(await state('b'), await state('a'));
    assert.deepEqual([(await apply('b')).sent, set.home.storedJobs()], [[], 16]);
  });

  it('creates those that the other one has not created yet', async () => {
    const { set, write, apply } = await checkouts(2);
    await write('b', 3);
    const { code, done } = await apply('b');
    const expected = [0, ['recorded job-1.json', 'recorded job-2.json', 'created job-3.json'], 3];
    assert.deepEqual([code, done, set.home.storedJobs()], expected);
  });

  type Checkouts = Awaited<ReturnType<typeof checkouts>>;
  const GUARDED: Readonly<Record<string, (checkouts: Checkouts) => Promise<unknown>>> = {
    'some jobs were created under the ID of a lost state': async ({ write, apply }) => {
      await Promise.all([write('a', 3), write('b', 3)]);
      return apply('a');
    },
    'the server no longer keeps the keys': ({ set }) => set.home.must('engine clock advance 24h'),
    'a job was created from another version': async ({ write, apply }) => {
      await Promise.all([write('a', 1, { salaryMax: 52 }), write('b', 1, { salaryMax: 52 })]);
      return apply('a');
    },
    'a job was replaced by hand with an identical one': ({ set }) =>
      set.home
        .must('jobs close 1 --yes')
        .then(() => set.home.must('jobs create a/jobs/job-1.json --publish')),
  };
  for (const [when, prepare] of Object.entries(GUARDED))
    it(`stops with exit 6 and creates nothing if ${when}`, async () => {
      const both = await checkouts(2);
      await prepare(both);
      const before = both.set.home.storedJobs();
      const { code, error } = await both.apply('b');
      assert.deepEqual([code, error?.code, both.set.home.storedJobs()], [6, 'JOBS_ALREADY_THERE', before]);
    });

  it('stops with exit 6 and sends nothing if the server is not known to honor keys', async () => {
    const { sets, options, live, close } = await runnersOn({ keys: false }, 2, 2);
    const [one, other] = sets as [JobSet, JobSet];
    await one.must('--publish', options);
    const { code, error, sent } = await other.apply('--publish', options);
    assert.deepEqual([code, error?.code, sent, await live()], [6, 'JOBS_ALREADY_THERE', [], 2]);
    await close();
  });
});

describe('a listing without a job', () => {
  for (const [what, over, flags, code, done] of ROWS as [string, object, string, number, string][])
    it(what, async () => {
      const set = await emptySet();
      await set.write('a.json', listingOf('Nurse', over));
      await set.home.must('jobs create jobs/a.json --publish');
      await set.write('a.json', listingOf('Nurse'));
      const result = await set.apply(`--publish${flags}`);
      assert.deepEqual([result.code, result.done], [code, [done]], JSON.stringify(result.items));
    });
});
