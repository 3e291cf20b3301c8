import assert from 'node:assert/strict';
import { COMMANDS, type CommandName } from '../../src/commands/index.ts';
import { LISTING_DAYS, LISTING_MS } from '../../src/contract/values.ts';
import { IS_AT_LENGTH, times } from '../times.ts';
import { liveSet, newSet } from './bulk.ts';
import { serveEngine } from './servers.ts';
import { fakeStreams } from './terminal/fake-streams.ts';

/** Commands run in this process, so that the test can set their clock to the night of the last apply. */
async function openBoard() {
  const { home } = await liveSet();
  let now = Date.now();
  const clocks = { clock: () => now, monotonicNow: () => 0 };
  const run = async (name: CommandName, ...argv: string[]) => {
    const streams = fakeStreams();
    const { signal: interrupted } = new AbortController();
    const context = { ...{ streams, interrupted, env: home.environment() }, ...clocks };
    const code = await (await COMMANDS[name]()).start(name, argv, context);
    return { code, out: streams.out(), err: streams.err() };
  };
  const files = `${home.path}/jobs`;
  let today = 0;
  const night = async (at: number, flags: string[], happens?: readonly [CommandName, ...string[]]) => {
    now += (at - today) * (LISTING_MS / LISTING_DAYS);
    today = at;
    if (happens) await run(...happens);
    const applied = await run('jobs apply', files, '--publish', '--prune', '--yes', ...flags);
    const { out } = await run('jobs list', '--status', 'active');
    return { ...applied, live: out.split('\n').length - 1 };
  };
  return { run, files, night };
}

/** Each night, or in `npm test` those on which something changes, and some before and after. */
function nightsTo(last: number): number[] {
  const nights = Array.from({ length: last }, (_, index) => index + 1);
  return nights.filter((night) => IS_AT_LENGTH || night < 9 || night > 28 || [24, 25].includes(night));
}

const NIGHTS = nightsTo(times(32, 90));

describe(`${NIGHTS.length} nights of jobs apply`, () => {
  for (const flags of [['--repost'], []])
    it(`${flags[0] ?? 'without --repost'}: no night is green on which a listing is not live`, async () => {
      const board = await openBoard();
      for (const night of NIGHTS) {
        const isLive = flags.length > 0 || night < 30;
        const { code, out, err, live } = await board.night(night, flags);
        assert.deepEqual([code, live], isLive ? [0, 3] : [11, 0], `night ${night}`);
        const done = night % 30 === 0 ? '3 created, 0 unchanged' : 'nothing to do, 3 unchanged';
        assert.match(err, isLive ? RegExp(done) : /Apply: 3 held, 0 unchanged .*; 3 not live\n/);
        assert.equal(/3 live jobs expire within 5 days/.test(err), isLive && night % 30 >= 25, err);
        if (!isLive) assert.match(out, /^held\ta\.json\t1\tEXPIRED\tnot live: job 1 expired\ta\.json$/m);
      }
    });

  it('are red from the night on which a listing is no longer live until it is again', async () => {
    const { run, files, night } = await openBoard();
    const happens: Readonly<Record<number, readonly [CommandName, ...string[]]>> = {
      2: ['jobs pause', '2'],
      4: ['jobs resume', '2'],
      6: ['jobs close', '3', '--yes'],
      7: ['jobs repost', '3'],
      8: ['jobs apply', files, '--adopt', 'c.json=4'],
      29: ['engine terms issue', 'next'],
      34: ['dashboard accept-terms'],
    };
    const nights: string[] = [];
    for (const at of nightsTo(36)) {
      const { code, live } = await night(at, ['--repost'], happens[at]);
      const plan = await run('jobs plan', files, '--publish', '--repost', '--fail-on-drift');
      const said = `exit ${code}, ${live} live, drift ${plan.code}`;
      if (!nights.at(-1)?.endsWith(said)) nights.push(`${at}: ${said}`);
    }
    const green = 'exit 0, 3 live, drift 0';
    const [paused, closed, refused] = ['exit 0, 2 live', 'exit 9, 2 live', 'exit 9, 1 live'];
    assert.deepEqual(nights, [
      ...[`1: ${green}`, `2: ${paused}, drift 10`, `4: ${green}`, `6: ${closed}, drift 10`, `8: ${green}`],
      ...[`30: ${refused}, drift 10`, `34: ${green}`],
    ]);
  });
});

describe('jobs list --expires-within', () => {
  for (const flags of ['--port 0', '--port 0 --no-list'])
    it(`lists live jobs, or those with another status, up to the limit: engine serve ${flags}`, async () => {
      const set = await newSet();
      const served = await serveEngine(set.home, flags);
      await set.must('--publish --concurrency 1', served);
      await set.home.must('jobs pause 2', served);
      const ids = async (more: string) => {
        const line = `jobs list --expires-within ${more}`;
        const { items, expiring } = await set.home.must<{ items: { id: number }[]; expiring: unknown }>(
          line,
          served,
        );
        assert.equal(expiring, null);
        return items.map(({ id }) => id);
      };
      assert.deepEqual(await ids('29d'), []);
      assert.deepEqual(await ids('31d'), [3, 1]);
      assert.deepEqual(await ids('31d --limit 1'), [3]);
      assert.deepEqual(await ids('31d --status paused'), [2]);
      await served.stop();
    });
});
