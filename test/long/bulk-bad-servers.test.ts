import assert from 'node:assert/strict';
import * as badServers from '../cli/bad-servers.ts';

const LISTINGS = 300;

const onLab = (seed: number) => badServers.livedThrough(LISTINGS, (set) => badServers.labOf(set, seed));
const keyless = (seed: number) =>
  badServers.onBadServer(
    LISTINGS,
    (set) => badServers.labOf(set, seed, '--no-idempotency'),
    (set) => badServers.settledOneByOne(set, () => badServers.asOffered),
  );

const CASES: Readonly<Record<string, () => Promise<badServers.Figures>>> = {
  'created, changed, published and closed, where calls fail and are dropped (seed 1)': () => onLab(1),
  'the same under seed 2': () => onLab(2),
  'the same where answers are lies': () =>
    badServers.livedThrough(LISTINGS, (set) => badServers.lyingServerOf(set, 1)),
  'where the server knows no keys: what is offered for each unknown outcome settles it (seed 4)': () =>
    keyless(4),
  'the same under seed 5': () => keyless(5),
};

describe(`an apply of ${LISTINGS} listings, on a server that does harm to a fifth of the calls, makes each job once`, () => {
  const begun = new Map<string, Promise<badServers.Figures>>();
  // All cases run at once because they mostly wait for retries that the server requested.
  before(() => {
    for (const [name, work] of Object.entries(CASES)) {
      const figures = work();
      figures.catch(() => {});
      begun.set(name, figures);
    }
  });

  for (const name of Object.keys(CASES))
    it(name, async () => {
      const { runs, jobs, harm } = (await begun.get(name)) as badServers.Figures;
      assert.ok(harm > LISTINGS / 5, `only ${harm} calls came to harm`);
      assert.ok(jobs >= LISTINGS);
      console.log(`      ${harm} calls came to harm in ${runs} runs, ${jobs} jobs compared`);
    });
});
