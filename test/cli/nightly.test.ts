import assert from 'node:assert/strict';
import { oclifConfig } from '../../src/cli/oclif-config.ts';
import { COMMANDS, type CommandName } from '../../src/commands/index.ts';
import { LISTING_DAYS, LISTING_MS } from '../../src/contract/values.ts';
import { type JobSet, liveSet } from './bulk.ts';
import { fakeStreams } from './terminal/fake-streams.ts';

const DAY_MS = LISTING_MS / LISTING_DAYS;
const NIGHT = ['--publish', '--prune', '--yes'];

/** Three live listings and a clock of their own; each command line runs in this process. */
class Board {
  now = Date.now();
  night = 0;
  private constructor(private readonly set: JobSet) {}

  static async open(): Promise<Board> {
    return new Board(await liveSet());
  }

  async run(name: CommandName, ...argv: string[]) {
    const streams = fakeStreams();
    const command = await COMMANDS[name]();
    const code = await command.start(name, argv, await oclifConfig(), {
      streams,
      env: this.set.home.environment(),
      clock: () => this.now,
      monotonicNow: () => 0,
      interrupted: new AbortController().signal,
    });
    return { code, out: streams.out(), err: streams.err() };
  }

  nightly(name: 'jobs apply' | 'jobs plan', ...flags: string[]) {
    return this.run(name, `${this.set.home.path}/jobs`, ...flags);
  }

  /** The jobs that the engine lists with this status. */
  async count(status: string): Promise<number> {
    const { out } = await this.run('jobs list', '--status', status);
    return out.split('\n').length - 1;
  }

  /** Waits a day, lets `happens` happen, and applies the files. */
  async nextNight(flags: readonly string[], happens?: () => Promise<unknown>) {
    this.night++;
    this.now += DAY_MS;
    await happens?.();
    const applied = await this.nightly('jobs apply', ...NIGHT, ...flags);
    return { ...applied, live: await this.count('active') };
  }
}

describe('90 nights of jobs apply', () => {
  it('with --repost end with every listing live, and with exit 0', async () => {
    const board = await Board.open();
    for (let night = 1; night <= 90; night++) {
      const { code, err, live } = await board.nextNight(['--repost']);
      assert.deepEqual([code, live], [0, 3], `night ${night}`);
      assert.equal(/3 live jobs expire within 5 days/.test(err), night % 30 >= 25, `${night}: ${err}`);
      assert.match(err, night % 30 === 0 ? /3 created, 0 unchanged/ : /nothing to do, 3 unchanged/);
    }
  });

  it('without --repost are green only while every listing is live', async () => {
    const board = await Board.open();
    for (let night = 1; night <= 90; night++) {
      const { code, out, err, live } = await board.nextNight([]);
      assert.deepEqual([code, live], night < 30 ? [0, 3] : [11, 0], `night ${night}`);
      if (live === 3) continue;
      assert.match(out, /^held\ta\.json\t1\tEXPIRED\tnot live: job 1 expired$/m);
      assert.match(err, /Apply: 3 held, 0 unchanged .*; 3 not live\n/);
    }
  });

  it('are red from the night on which a listing is no longer live until it is again', async () => {
    const board = await Board.open();
    const repost = async () => {
      const { out } = await board.run('jobs repost', '3', '--json');
      return board.nightly('jobs apply', '--adopt', `c.json=${JSON.parse(out).id}`);
    };
    const happens: Readonly<Record<number, () => Promise<unknown>>> = {
      2: () => board.run('jobs pause', '2'),
      4: () => board.run('jobs resume', '2'),
      6: () => board.run('jobs close', '3', '--yes'),
      8: repost,
      29: () => board.run('engine terms issue', 'next'),
      34: () => board.run('dashboard accept-terms'),
    };
    const nights: string[] = [];
    for (let night = 1; night <= 36; night++) {
      const { code, live } = await board.nextNight(['--repost'], happens[night]);
      const plan = await board.nightly('jobs plan', '--publish', '--repost', '--fail-on-drift');
      nights.push(`exit ${code}, ${live} live, drift ${plan.code}`);
    }
    assert.deepEqual(
      nights.flatMap((said, at) => (said === nights[at - 1] ? [] : [`${at + 1}: ${said}`])),
      [
        '1: exit 0, 3 live, drift 0',
        '2: exit 0, 2 live, drift 10',
        '4: exit 0, 3 live, drift 0',
        '6: exit 9, 2 live, drift 10',
        '8: exit 0, 3 live, drift 0',
        '30: exit 9, 1 live, drift 10',
        '34: exit 0, 3 live, drift 0',
      ],
    );
  });
});
