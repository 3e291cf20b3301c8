import assert from 'node:assert/strict';
import { watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Draw, drawsOf } from '../../src/engine/lab/draws.ts';
import type { GeneratedSet } from './generated-set.ts';
import type { Running } from './partner.ts';

/** How the run of a set goes where nobody disturbs it. */
export interface Pace {
  /** How long it takes until it begins to work: the files are read, the journal is open. */
  readonly readyMs: number;
  /** How often the state's directory has changed by then, and how often in all. */
  readonly changesReady: number;
  readonly changes: number;
}

export interface KillRounds {
  readonly seed: number;
  readonly killsMost: number;
  /** How many kills struck at what. */
  readonly struck: Map<string, number>;
}

/** Runs an undisturbed apply, and tells how it goes. */
export async function paceOf(set: GeneratedSet, flags: readonly string[]): Promise<Pace> {
  const startedAt = performance.now();
  let ready: Pick<Pace, 'readyMs' | 'changesReady'> | undefined;
  let changes = 0;
  const watcher = watch(set.stateDirectory, (_, name) => {
    changes++;
    if (name === JOURNAL) ready ??= { readyMs: performance.now() - startedAt, changesReady: changes };
  });
  await set.start(flags).ended;
  watcher.close();
  assert.ok(ready !== undefined, 'it has come to an end without a journal');
  return { ...ready, changes };
}

/**
 * Starts the apply of a set again and again, and kills each run at a moment of its own, until so many were killed
 * or one has come to its end. Gives how many were killed while they ran.
 */
export async function killedAgainAndAgain(
  set: GeneratedSet,
  flags: readonly string[],
  pace: Pace,
  { seed, killsMost, struck }: KillRounds,
): Promise<number> {
  for (let kills = 0; kills < killsMost; kills++) {
    const run = set.start(flags);
    const moment = momentOf(drawsOf(seed, kills), pace, killsMost);
    if (!(await killAt(run, moment, set.stateDirectory))) return kills;
    const at = await struckAt(set.stateDirectory, run.child.pid as number);
    struck.set(at, (struck.get(at) ?? 0) + 1);
  }
  return killsMost;
}

/** When a run is killed: so long after the state's directory has changed so often, which does not depend on load. */
interface Moment {
  readonly changes: number;
  readonly thenMs: number;
}

/**
 * A sixth before the work begins, a sixth as lock and journal are made and taken over, the others while jobs are
 * made, each life short enough to leave work for those after it.
 */
function momentOf(draw: Draw, { readyMs, changesReady, changes }: Pace, lives: number): Moment {
  const kind = draw();
  if (kind < 1 / 6) return { changes: 0, thenMs: draw() * readyMs };
  if (kind < 1 / 3) return { changes: Math.ceil(draw() * changesReady), thenMs: draw() };
  const share = (1.5 * draw()) / lives;
  return { changes: changesReady + Math.ceil(share * (changes - changesReady)), thenMs: 10 * draw() };
}

/** Kills a run at a moment; true where it was still at work. */
async function killAt(run: Running, { changes, thenMs }: Moment, directory: string): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const kill = (): void => void run.child.kill('SIGKILL');
  const soon = (): void => {
    timer = setTimeout(kill, thenMs);
  };
  const stop = onChange(directory, changes, soon);
  const { signal, code, stdout, stderr } = await run.ended;
  clearTimeout(timer);
  stop();
  if (signal === 'SIGKILL') return true;
  assert.equal(code, 0, `${stdout}${stderr}`);
  return false;
}

/** Acts once a directory has changed so often, at once for none; gives what ends the watch. */
export function onChange(directory: string, times: number, act: () => void): () => void {
  let seen = 0;
  const watcher = watch(directory, () => {
    if (++seen === times) act();
  });
  if (times === 0) act();
  return () => watcher.close();
}

const JOURNAL = 'state.journal.ndjson';

/** What a killed process was at, as far as the files tell that it has left. */
async function struckAt(directory: string, pid: number): Promise<string> {
  const textOf = (name: string) => readFile(join(directory, name), 'utf8').catch(() => '');
  const replaced = (await readdir(directory)).some((name) => name.endsWith('.new'));
  const replacing = replaced ? ', a file half replaced' : '';
  if (!(await textOf('state.lock')).includes(`"pid":${pid},`)) return `without the lock${replacing}`;
  const journal = await textOf(JOURNAL);
  if (!new RegExp(`"pid":${pid}[,}]`).test(journal)) return `with the lock, without its journal${replacing}`;
  const count = (kind: string) => journal.split(`{"kind":"${kind}"`).length - 1;
  const inFlight = count('intent') > count('made') + count('refused');
  return `at work, ${inFlight ? 'creates' : 'no create'} in flight${replacing}`;
}
