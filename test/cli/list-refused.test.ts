import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SpecUser } from '../spec-server/commands.ts';
import LISTING from '../spec-server/listing.json' with { type: 'json' };
import { KEY } from '../spec-server/server.ts';
import { IS_AT_LENGTH } from '../times.ts';
import ROWS from './list-refused.json' with { type: 'json' };
import REMEMBERED from './list-remembered.json' with { type: 'json' };

type Traits = { listsJobs?: unknown; pausesJobs?: unknown; refusedAt?: { listsJobs?: string } };

const APPLY = 'jobs apply set.json --state state.json --max-wait 1s --json';
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

describe('a list of jobs that fails', () => {
  let user: SpecUser;
  let refusal: (typeof ROWS)[number] | undefined;
  beforeEach(async () => {
    refusal = undefined;
    // If `refuses` is null, every list request is refused.
    const list = (query: URLSearchParams) =>
      refusal?.refuses?.every((name) => !query.has(name)) ? undefined : refusal;
    user = await SpecUser.of({ list, unknownRoute: { status: 403, body: '<h1>No</h1>', type: 'text/html' } });
    await mkdir(user.home.config, { recursive: true });
    await setTraits({});
    await user.home.file('set.json', [{ ...LISTING, opportunityId: 'req-1' }]);
    await ends(0, APPLY);
  });
  afterEach(() => user.server.close());

  const setTraits = (traits: object) => {
    const profiles = { spec: { baseUrl: user.server.url, key: KEY, traits } };
    return writeFile(join(user.home.config, 'config.json'), JSON.stringify({ current: 'spec', profiles }));
  };
  const traitsNow = async () =>
    (await user.home.must<{ items: [{ traits: Traits }] }>('auth list')).items[0].traits;
  /** Only a 429 makes the client wait until its timeout. */
  const timeout = () => (refusal?.status === 429 ? '1s' : '60s');
  const ends = async (exit: number, line: string) => {
    const run = await user.home.run(`${line} --timeout ${timeout()}`);
    assert.equal(run.code, exit, `${line}: ${run.code}\n${run.stdout}${run.stderr}`);
    return run;
  };

  for (const [at, row] of ROWS.entries())
    it(`stores no trait, loses no guard and says so: ${row.name}`, async () => {
      const { exit, knownExit, jobs, isListed, isSighting, isTicked } = row;
      const known = [undefined, true];
      for (const listsJobs of IS_AT_LENGTH ? known : [known[at % 2]]) {
        await setTraits({ listsJobs });
        refusal = row;
        const list = await ends(listsJobs ? knownExit : exit, 'jobs list --status draft --json');
        if (list.code === 0) {
          const { items, complete, source } = list.json() as Record<string, unknown>;
          assert.deepEqual([complete, source], isListed ? [true, 'server'] : [false, 'this machine']);
          assert.equal((items as unknown[]).length, jobs);
          assert.equal(/created from this machine/.test(list.stderr), !isListed, list.stderr);
        }
        // Without its state, the set must not create a second job.
        await rm(join(user.home.path, 'state.json'), { force: true });
        await user.makes(0, () => ends(isListed || (exit === 0 && !listsJobs) ? 6 : 8, APPLY));
        await ends(1, 'jobs pause 5000');
        const { stdout } = await user.home.run(`doctor --remote --timeout ${timeout()}`);
        assert.equal(/^✓ List of jobs/m.test(stdout), isTicked, stdout);
        const { refusedAt = {}, ...traits } = await traitsNow();
        assert.deepEqual([traits.listsJobs, traits.pausesJobs], [isListed || listsJobs, undefined]);
        assert.deepEqual(Object.keys(refusedAt), isSighting ? ['listsJobs'] : []);
      }
    });

  for (const { name, line, isListed, asked, after, isDated, isSaid, ...before } of REMEMBERED)
    it(`is remembered with its date: ${name}`, async () => {
      const refusedAt = before.hoursAgo === null ? {} : { listsJobs: hoursAgo(before.hoursAgo) };
      await setTraits({ listsJobs: before.listsJobs ?? undefined, refusedAt });
      refusal = isListed ? undefined : ROWS.find((row) => row.name === '404');
      const { length } = user.server.calls;
      const { stderr } = await ends(0, line);
      const lists = user.server.calls.slice(length).filter((call) => call === 'GET /v1/jobs');
      const { listsJobs = null, refusedAt: { listsJobs: date } = {} } = await traitsNow();
      const isNow = date === undefined ? null : date > hoursAgo(1);
      assert.deepEqual([lists.length, listsJobs, isNow], [asked, after, isDated]);
      assert.equal(stderr.includes('could list jobs before'), isSaid, stderr);
    });
});
