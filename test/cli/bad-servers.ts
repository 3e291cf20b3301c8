import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openEngine } from '../../src/engine/open.ts';
import { sqliteFile } from '../../src/engine/store/address.ts';
import { startLyingServer } from '../bulk/lying-server.ts';
import { type GeneratedSet, generatedSet, type SetItem } from './generated-set.ts';
import { DIST } from './partner.ts';

interface BadServer {
  readonly url: string;
  /** Returns the number of failures it injected. */
  close(): Promise<number>;
}

export async function lyingServerOf({ home }: GeneratedSet, seed: number): Promise<BadServer> {
  const engine = await openEngine({
    database: sqliteFile(home.database),
    placesPath: join(DIST, 'places.bin'),
  });
  const { url, lies, close } = await startLyingServer({ engine, seed, lieRate: 0.2 });
  return {
    url,
    async close() {
      await close();
      await engine.close();
      return lies();
    },
  };
}

/** Mostly drops responses, because many of the other failures make the whole pool wait. */
export async function labOf(set: GeneratedSet, seed: number, ...flags: string[]): Promise<BadServer> {
  const rates = ['--fail-rate', '0.06', '--drop-rate', '0.14', '--seed', String(seed)];
  const { url, running } = await set.serve([...rates, ...flags]);
  return {
    url,
    async close() {
      running.child.kill('SIGINT');
      const { stderr } = await running.ended;
      const counts = [...stderr.matchAll(/(\d[\d,]*) (?:before|after)/g)];
      return counts.reduce((sum, [, times = '0']) => sum + Number(times.replaceAll(',', '')), 0);
    },
  };
}

export type Opening = (set: GeneratedSet) => Promise<BadServer>;

export interface Figures {
  readonly runs: number;
  readonly jobs: number;
  readonly harm: number;
}

export async function onBadServer(
  count: number,
  open: Opening,
  work: (set: GeneratedSet) => Promise<Omit<Figures, 'harm'>>,
): Promise<Figures> {
  const set = await generatedSet(count);
  const server = await open(set);
  await set.callAt(server.url);
  try {
    return { ...(await work(set)), harm: await server.close() };
  } catch (error) {
    await server.close().catch(() => {});
    throw error;
  }
}

/** Creates a set, then changes, removes and adds listings; reruns each step until nothing is left to do. */
export async function livedThrough(count: number, open: Opening): Promise<Figures> {
  return onBadServer(count, open, async (set) => {
    const isLive = (index: number) => index % 7 === 3;
    for (let index = 0; index < count; index++) if (isLive(index)) await set.write(index, { publish: true });
    let runs = await set.finish(['--quiet'], RUNS_MOST);
    set.assertNoneTwice();
    assert.equal(set.jobs().length, count);
    for (let index = 0; index < count; index++) {
      if (isLive(index)) await set.remove(index);
      else if (index % 5 === 0) await set.write(index, { salaryMax: 200_000 + index, budgets: [] });
    }
    for (let index = count; index < count * 1.1; index++) await set.write(index);
    runs += await set.finish(['--quiet', '--publish', '--prune', '--yes'], RUNS_MOST);
    return { runs, jobs: await set.assertExact() };
  });
}

const RUNS_MOST = 8;

type Settling = (item: SetItem) => readonly string[];

/** Settles unknown creates in the next run; fails on duplicate jobs, or if no create was ever unknown. */
export async function settledOneByOne(set: GeneratedSet, settling: (set: GeneratedSet) => Settling) {
  const settle = settling(set);
  let flags: readonly string[] = [];
  for (let runs = 1; runs <= SETTLING_RUNS_MOST; runs++) {
    const { code, items, stderr, stdout } = await set.apply(['--quiet', '--publish', ...flags]);
    set.assertNoneTwice();
    if (code === 0) {
      assert.ok(runs > 1, 'nothing was of unknown outcome');
      return { runs, jobs: await set.assertExact() };
    }
    const unknown = items.filter(({ result }) => result === 'unknown');
    assert.ok(
      code === 8 || (unknown.length === 0 && [1, 9].includes(code ?? 0)),
      `${code} ${stdout}${stderr}`,
    );
    flags = unknown.flatMap(settle);
  }
  return assert.fail('it does not come to an end');
}

const SETTLING_RUNS_MOST = 20;

/** Follows the printed hint: adopts the job it names, or resends if no job matches. */
export const asOffered: Settling = ({ key, error }) => {
  const offered = error?.hint ?? '';
  const [, named] = /`(--adopt \S+=\d+)`/.exec(offered) ?? [];
  if (named !== undefined) return named.split(' ');
  return offered.startsWith("none of the server's newest jobs matches it") ? ['--resend', key] : [];
};

/** If the hint offers nothing, the operator checks the server's database. */
export function asTheDatabaseSays(set: GeneratedSet): Settling {
  return (item) => {
    assert.deepEqual(asOffered(item), []);
    const job = set.jobOf(item.key);
    return job === undefined ? ['--resend', item.key] : ['--adopt', `${item.key}=${job}`];
  };
}
