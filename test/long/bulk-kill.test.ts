import assert from 'node:assert/strict';
import { createDraw } from '../../src/engine/lab/draws.ts';
import { type GeneratedSet, generatedSet, type Served } from '../cli/generated-set.ts';
import { killedAgainAndAgain, onChange, type Pace, paceOf } from '../cli/kill-rounds.ts';
import type { Running } from '../cli/partner.ts';

const LISTINGS = 120;
const KILLS = 200;
const KILLS_OF_A_SET = 10;
const SERVER_KILLS = 24;
const SERVER_KILLS_OF_A_SET = 6;
const FLAGS = ['--publish', '--quiet'];

class Figures {
  readonly struck = new Map<string, number>();
  kills = 0;
  serverKills = 0;
  sets = 0;
}

describe(`an apply of ${LISTINGS} listings makes each job once and as its file says`, () => {
  it(`killed at ${KILLS} moments, embedded`, async () => {
    const figures = new Figures();
    const pace = await paceOf(await generatedSet(LISTINGS), FLAGS);
    while (figures.kills < KILLS) {
      const set = await generatedSet(LISTINGS);
      await killedRuns(set, pace, figures);
      await finished(set, 1);
    }
    assertAllMoments(figures);
  });

  it(`killed at ${KILLS} moments, over HTTP`, async () => {
    const figures = new Figures();
    let pace: Pace | undefined;
    while (figures.kills < KILLS) {
      const { set, server } = await servedSet();
      pace ??= await paceHere();
      await killedRuns(set, pace, figures);
      await finished(set, 1);
      await end(server);
    }
    assertAllMoments(figures);
  });

  it(`over HTTP to a server that is killed ${SERVER_KILLS} times, and itself every other time`, async () => {
    const figures = new Figures();
    const { changesReady } = await paceHere();
    while (figures.serverKills < SERVER_KILLS) {
      const draw = createDraw(7, ++figures.sets);
      const added = LISTINGS / SERVER_KILLS_OF_A_SET;
      let { set, server } = await servedSet(0);
      for (let round = 0; round < SERVER_KILLS_OF_A_SET; round++) {
        // If a run survives its server, it finishes its listings, so the next run needs new ones.
        for (let index = 0; index < added; index++) await set.write(round * added + index);
        const run = set.start(FLAGS);
        await changed(set, changesReady + Math.floor(10 * draw()), run);
        if (round % 2 === 1) run.child.kill('SIGKILL');
        await end(server);
        server = await set.serve([], server.port);
        const { signal } = await run.ended;
        figures.serverKills++;
        figures.kills += signal === 'SIGKILL' ? 1 : 0;
      }
      await finished(set, 3);
      await end(server);
    }
    assert.ok(figures.kills >= SERVER_KILLS / 4, `only ${figures.kills} runs were killed`);
  });
});

async function changed(set: GeneratedSet, times: number, run: Running): Promise<void> {
  let stop = (): void => {};
  const seen = new Promise<void>((resolve) => {
    stop = onChange(set.stateDirectory, times, resolve);
  });
  await Promise.race([seen, run.ended]);
  stop();
}

async function killedRuns(set: GeneratedSet, pace: Pace, figures: Figures): Promise<void> {
  const kills = await killedAgainAndAgain(set, FLAGS, pace, {
    seed: ++figures.sets,
    killsMost: Math.min(KILLS_OF_A_SET, KILLS - figures.kills),
    struck: figures.struck,
  });
  figures.kills += kills;
}

async function finished(set: GeneratedSet, runsMost: number): Promise<void> {
  await set.finish(FLAGS, runsMost);
  const jobs = await set.assertExact();
  assert.equal(jobs, LISTINGS);
}

async function servedSet(count = LISTINGS): Promise<{ set: GeneratedSet; server: Served }> {
  const set = await generatedSet(count);
  const server = await set.serve();
  await set.callAt(server.url);
  return { set, server };
}

async function paceHere(): Promise<Pace> {
  const { set, server } = await servedSet();
  const pace = await paceOf(set, FLAGS);
  await end(server);
  return pace;
}

async function end({ running }: Served): Promise<void> {
  running.child.kill('SIGKILL');
  await running.ended;
}

function assertAllMoments({ struck }: Figures): void {
  assert.ok((struck.get('none') ?? 0) > 0, 'none before the journal was made');
  const inFlight = struck.get('creates in flight') ?? 0;
  assert.ok(inFlight >= KILLS / 5, `${inFlight} with creates in flight`);
}
