import assert from 'node:assert/strict';
import { type JobSet, listingOf } from './bulk.ts';
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
});
