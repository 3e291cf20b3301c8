import assert from 'node:assert/strict';
import {
  asOffered,
  type Figures,
  labOf,
  livedThrough,
  lyingServerOf,
  onBadServer,
  settledOneByOne,
} from '../cli/bad-servers.ts';

const LISTINGS = 300;

const CASES: Readonly<Record<string, () => Promise<Figures>>> = {
  'created, changed, published and closed, where calls fail and are dropped (seed 1)': () => onLab(1),
  'the same under seed 2': () => onLab(2),
  'the same where answers are lies': () => onLiar(),
  'where the server knows no keys: what is offered for each unknown outcome settles it (seed 4)': () =>
    keyless(4),
  'the same under seed 5': () => keyless(5),
};

describe(`an apply of ${LISTINGS} listings, on a server that does harm to a fifth of the calls, makes each job once`, () => {
  const begun = new Map<string, Promise<string>>();
  // All at once: they mostly wait, as servers ask for it.
  before(() => {
    for (const [name, work] of Object.entries(CASES)) {
      const told = tellingOf(work);
      told.catch(() => {});
      begun.set(name, told);
    }
  });

  for (const name of Object.keys(CASES)) {
    it(name, async () => {
      console.log(`      ${await begun.get(name)}`);
    });
  }
});

function onLab(seed: number): Promise<Figures> {
  return livedThrough(LISTINGS, (set) => labOf(set, seed));
}

function onLiar(): Promise<Figures> {
  return livedThrough(LISTINGS, (set) => lyingServerOf(set, 1));
}

function keyless(seed: number): Promise<Figures> {
  const open: Parameters<typeof onBadServer>[1] = (set) => labOf(set, seed, '--no-idempotency');
  return onBadServer(LISTINGS, open, (set) => settledOneByOne(set, () => asOffered));
}

async function tellingOf(work: () => Promise<Figures>): Promise<string> {
  const startedAt = performance.now();
  const { runs, jobs, harm } = await work();
  assert.ok(harm > LISTINGS / 5, `only ${harm} calls came to harm`);
  assert.ok(jobs >= LISTINGS);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  return `${harm} calls came to harm in ${runs} runs, ${jobs} jobs looked at, ${seconds} s`;
}
