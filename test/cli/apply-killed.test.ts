import assert from 'node:assert/strict';
import { type GeneratedSet, generatedSet } from './generated-set.ts';
import { killedAgainAndAgain } from './kill-rounds.ts';

const LISTINGS = 24;
const KILLS = 3;
const FLAGS = ['--publish', '--quiet'];

/** Approximate values are enough, because any moment is as good as another for a kill. */
const PACE = { readyMs: 250, changesReady: 8, changes: 28 };

describe('jobs apply, killed at any moment and started again, makes each job once and as its file says', () => {
  it('embedded', async () => await killedThreeTimes(await generatedSet(LISTINGS)));

  it('over HTTP', async () => {
    const set = await generatedSet(LISTINGS);
    const { url, running } = await set.serve();
    await set.callAt(url);
    await killedThreeTimes(set);
    running.child.kill('SIGINT');
    await running.ended;
  });
});

async function killedThreeTimes(set: GeneratedSet): Promise<void> {
  const struck = new Map<string, number>();
  let kills = 0;
  for (let seed = 1; kills < KILLS; seed++) {
    const killsMost = KILLS - kills;
    kills += await killedAgainAndAgain(set, FLAGS, PACE, { seed, killsMost, struck });
  }
  await set.finish(FLAGS, 1);
  assert.equal(await set.assertExact(), LISTINGS);
}
