import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openEngine } from '../../src/engine/open.ts';
import { sqliteFile } from '../../src/engine/store/address.ts';
import { startLyingServer } from '../bulk/lying-server.ts';
import { type GeneratedSet, generatedSet, type SetItem } from './generated-set.ts';
import { DIST } from './partner.ts';

/** A server that a set is applied to, and its end. */
interface BadServer {
  readonly url: string;
  /** Gives how often it did harm. */
  close(): Promise<number>;
}

/** A server before the engine of a set that lies in a fifth of its answers. */
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

/**
 * `engine serve` on the database of a set, which does harm to a fifth of the calls: most are dropped, because many
 * of the other failures make the whole pool wait.
 */
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
  /** How many were compared. */
  readonly jobs: number;
  readonly harm: number;
}

/** Makes a new set of `count` listings, whose calls go to a bad server while `work` lasts. */
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

/**
 * What becomes of a set on a bad server: made, some of it live and the others drafts; then one in five changed, what
 * is live taken away, a few added, and all of it published. Each time it is run until nothing is left to do, and in
 * the end looked at.
 */
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

/** The flags by which the next run settles a create of unknown outcome. */
type Settling = (item: SetItem) => readonly string[];

/**
 * Applies to a server that knows no keys until nothing is left to do, each create of unknown outcome settled in the
 * next run. Fails where a job was made twice at any time, or where all of it never came to be unknown.
 */
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

/** As it is printed: the job that is named is adopted, and what no job is like is sent again. */
export const asOffered: Settling = ({ key, error }) => {
  const offered = error?.hint ?? '';
  const [, named] = /`(--adopt \S+=\d+)`/.exec(offered) ?? [];
  if (named !== undefined) return named.split(' ');
  return offered.startsWith("none of the server's newest jobs matches it") ? ['--resend', key] : [];
};

/** Where nothing can be offered, the operator looks into the database of the server. */
export function asTheDatabaseSays(set: GeneratedSet): Settling {
  return (item) => {
    assert.deepEqual(asOffered(item), []);
    const job = set.jobOf(item.key);
    return job === undefined ? ['--resend', item.key] : ['--adopt', `${item.key}=${job}`];
  };
}
