import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptySet, type JobSet, listingOf } from './bulk.ts';
import { applyAll, checkouts, type ServerKind, serverOf } from './runners.ts';

interface Applied {
  readonly summary: Readonly<Record<string, number>>;
}

/** Two runners that create their first job at the same time, and what their server has then. */
async function applied(kind: ServerKind) {
  const server = await serverOf({ ...kind, together: 2 });
  const sets = await checkouts(2, 4);
  const runs = await applyAll(sets, server.env);
  return { server, sets, runs, options: { env: server.env } };
}

describe('two runners that apply the same files at the same time', () => {
  for (const [what, kind] of [
    ['honors keys', {}],
    ['honors keys and lists no jobs', { lists: false }],
  ] as const)
    it(`make one job for each listing on a server that ${what}`, async () => {
      const { server, sets, runs, options } = await applied(kind);
      const summaries = runs.map((run) => (run.json() as Applied).summary);
      const total = (name: string) => summaries.reduce((sum, of) => sum + (of[name] ?? 0), 0);
      assert.deepEqual([runs.map(({ code }) => code), await server.live()], [[0, 0], 4]);
      assert.deepEqual([total('created'), total('recorded'), total('live')], [4, 4, 8]);
      for (const set of sets) {
        const { code, done, notices } = await set.plan('--publish --fail-on-drift --exit-code', options);
        assert.deepEqual([code, done, notices], [0, [], []]);
      }
      await server.close();
    });

  it('make no second job of another version of a listing, and hold it', async () => {
    const server = await serverOf({ lists: false });
    const [one, other] = (await checkouts(2, 2)) as [JobSet, JobSet];
    const options = { env: server.env };
    await one.must('--publish', options);
    await other.write('job-1.json', listingOf('Nurse 1', { salaryMax: 52 }));
    const held = await other.apply('--publish', options);
    assert.deepEqual(
      [held.code, held.done, await server.live()],
      [9, ['held job-1.json', 'recorded job-2.json'], 2],
    );
    assert.match(held.items[0]?.error?.hint ?? '', /--adopt job-1\.json=ID.*--create-anyway/);
    await other.must('--publish --adopt job-1.json=1', options);
    assert.equal(await server.live(), 2);
    await server.close();
  });

  it('name every duplicate on a server that honors no keys, in every report', async () => {
    const { server, sets, runs, options } = await applied({ keys: false });
    assert.deepEqual([runs.map(({ code }) => code), await server.live()], [[9, 9], 8]);
    const [set] = sets as [JobSet];
    const formats = ['json', 'markdown', 'junit'].map((format) => `${format}=report.${format}`);
    const flags = ['github', ...formats].flatMap((report) => ['--report', report]);
    const plan = await set.plan(['--publish', '--fail-on-drift', ...flags], options);
    const ids = plan.notices.map(({ jobId }) => jobId);
    assert.deepEqual(
      [plan.code, new Set(plan.noted), new Set(ids).size],
      [10, new Set(['POSSIBLE_DUPLICATE']), 4],
    );
    const reports = ['json', 'markdown', 'junit'].map((format) =>
      readFileSync(join(set.home.path, `report.${format}`), 'utf8'),
    );
    for (const report of [plan.stderr, ...reports])
      for (const id of ids)
        for (const way of ['--adopt', '--ignore', 'jobs close'])
          assert.match(report, new RegExp(`${way} (?:job-\\d\\.json=)?${id}`));
    const [first, ...others] = ids.map(String);
    await set.home.must(['jobs', 'close', ...others, '--yes'], options);
    await set.must(`--publish --ignore ${first}`, options);
    const { code, notices } = await set.plan('--publish --fail-on-drift --exit-code', options);
    assert.deepEqual([code, notices, await server.live()], [0, [], 5]);
    await server.close();
  });
});

describe('a listing without a job', () => {
  const MADE = ['jobs', 'create', 'jobs/a.json', '--publish'];
  for (const [what, over, flags, code, done] of [
    ['is held if a live job has its opportunityId', { title: 'Other' }, '', 11, 'held a.json'],
    ['is held if a live job has its title and place', { opportunityId: undefined }, '', 11, 'held a.json'],
    ['is created if that job is ignored', { title: 'Other' }, '--ignore 1', 0, 'created a.json'],
    ['is created with --create-anyway', { title: 'Other' }, '--create-anyway', 0, 'created a.json'],
    ['is linked with --adopt', { title: 'Other' }, '--adopt a.json=1 --replace a.json', 0, 'updated a.json'],
    ['is created if that job has another opportunityId', { opportunityId: 'R2' }, '', 0, 'created a.json'],
  ] as const)
    it(what, async () => {
      const set = await emptySet();
      await set.write('a.json', listingOf('Nurse', over));
      await set.home.must(MADE);
      await set.write('a.json', listingOf('Nurse'));
      const result = await set.apply(`--publish ${flags}`.trim());
      assert.deepEqual([result.code, result.done], [code, [done]], JSON.stringify(result.items));
    });
});
