import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SpecUser } from '../spec-server/commands.ts';
import LISTING from '../spec-server/listing.json' with { type: 'json' };
import { KEY } from '../spec-server/server.ts';
import ROWS from './list-refused.json' with { type: 'json' };
import REMEMBERED from './list-remembered.json' with { type: 'json' };
import type { Run } from './partner.ts';

/** Only `refuses` are refused, if given. `exit` is that of `jobs list`, `knownExit` if the server is known to list jobs. */
type Row = Partial<Record<'type' | 'body' | 'code', string>> &
  Partial<Record<'isListed' | 'isSighting' | 'isTicked', boolean>> &
  Partial<Record<'exit' | 'knownExit' | 'jobs', number>> & { status: number; refuses?: readonly string[] };

type Traits = { refusedAt?: Record<string, string> | undefined } & Partial<Record<string, unknown>>;

const NOT_FOUND = { status: 404, code: 'NOT_FOUND' };
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

describe('a list of jobs that fails', () => {
  let user: SpecUser;
  let refusal: Row | undefined;
  beforeEach(async () => {
    refusal = undefined;
    const list = (query: URLSearchParams) => {
      if (refusal === undefined || refusal.refuses?.some((name) => query.has(name)) === false)
        return undefined;
      const { status, code, type = 'application/json' } = refusal;
      const error = { error: { code, message: 'refused' } };
      return { status, type, body: refusal.body ?? JSON.stringify(error) };
    };
    user = await SpecUser.of({ list, unknownRoute: { status: 403, body: '<h1>No</h1>', type: 'text/html' } });
    const login = ['auth', 'login', 'spec', '--with-key', '--base-url', user.server.url];
    await user.home.run(login, { stdin: KEY });
    await user.home.file('set.json', [{ ...LISTING, opportunityId: 'req-1' }]);
    await ends(0, APPLY);
  });
  afterEach(() => user.server.close());

  const APPLY = 'jobs apply set.json --state state.json --max-wait 1s --json';
  const ends = async (exit: number | undefined, line: string): Promise<Run> => {
    const run = await user.home.run(`${line} --timeout 2s`);
    if (exit !== undefined) assert.equal(run.code, exit, `${line}: ${run.code}\n${run.stdout}${run.stderr}`);
    return run;
  };
  /** Sets the profile's traits, if any are given. */
  const profileTraits = async (given?: Traits): Promise<Traits> => {
    const path = join(user.home.config, 'config.json');
    const config = JSON.parse(await readFile(path, 'utf8'));
    const { traits = {} } = config.profiles.spec;
    config.profiles.spec.traits = given;
    if (given !== undefined) await writeFile(path, JSON.stringify(config));
    return traits;
  };
  /** Applies the set without its state: that must make no second job. */
  const appliesAgain = async (exit: number) => {
    await rm(join(user.home.path, 'state.json'), { force: true });
    await user.makes(0, () => ends(exit, APPLY));
  };

  for (const { name, ...row } of ROWS as readonly (Row & { name: string })[]) {
    it(`stores no trait, loses no guard and says so: ${name}`, async () => {
      const {
        exit = 0,
        knownExit = 0,
        jobs = 1,
        isListed = false,
        isSighting = false,
        isTicked = true,
      } = row;
      for (const listsJobs of [undefined, true]) {
        await profileTraits({ listsJobs });
        refusal = row;
        const list = await ends(listsJobs ? knownExit : exit, 'jobs list --status draft --json');
        if (list.code === 0) {
          const { items, complete, source } = list.json() as Record<string, unknown>;
          assert.deepEqual([complete, source], isListed ? [true, 'server'] : [false, 'this machine']);
          assert.equal((items as unknown[]).length, jobs);
          assert.equal(/created from this machine/.test(list.stderr), !isListed, list.stderr);
        }
        await appliesAgain(isListed || (exit === 0 && !listsJobs) ? 6 : 8);
        await ends(1, 'jobs pause 5000');
        const { items } = (await ends(undefined, 'doctor --remote --json')).json() as { items: Run[] };
        const lines = JSON.stringify(items.filter((line) => JSON.stringify(line).includes('List of jobs')));
        assert.equal(lines.includes('"ok":true'), isTicked, lines);
        const { refusedAt = {}, ...traits } = await profileTraits();
        assert.deepEqual([traits.listsJobs, traits.pausesJobs], [isListed || listsJobs, undefined]);
        assert.deepEqual(Object.keys(refusedAt), isSighting ? ['listsJobs'] : []);
      }
    });
  }

  for (const { name, line, before, isListed = false, asked, after, isDated, isSaid = false } of REMEMBERED) {
    it(`is remembered with its date: ${name}`, async () => {
      const { hours, ...traits } = before;
      await profileTraits({ ...traits, refusedAt: hours ? { listsJobs: hoursAgo(hours) } : undefined });
      refusal = isListed ? undefined : NOT_FOUND;
      const { length } = user.server.calls;
      const { stderr } = await ends(0, line ?? 'jobs list --quiet');
      const lists = user.server.calls.slice(length).filter((call) => call === 'GET /v1/jobs');
      const { listsJobs, refusedAt } = await profileTraits();
      const date = refusedAt?.listsJobs;
      assert.deepEqual([lists.length, listsJobs, date && date > hoursAgo(1)], [asked, after, isDated]);
      assert.equal(stderr.includes('could list jobs before'), isSaid, stderr);
    });
  }
});
