import assert from 'node:assert/strict';
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDraw, type Draw } from '../../src/engine/lab/draws.ts';
import type { GeneratedSet } from './generated-set.ts';
import type { Running } from './partner.ts';

export interface Pace {
  /** Time until the journal is opened. */
  readonly readyMs: number;
  /** Changes to the state directory until the journal is opened. */
  readonly changesReady: number;
  readonly changes: number;
}

export interface KillRounds {
  readonly seed: number;
  readonly killsMost: number;
  /** Number of kills by the journal they left: `none`, `idle` or `creates in flight`. */
  readonly struck: Map<string, number>;
}

const JOURNAL = 'state.journal.ndjson';

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

/** Returns the number of kills: fewer than `killsMost` if a run finished first. */
export async function killedAgainAndAgain(
  set: GeneratedSet,
  flags: readonly string[],
  pace: Pace,
  { seed, killsMost, struck }: KillRounds,
): Promise<number> {
  for (let kills = 0; kills < killsMost; kills++) {
    const run = set.start(flags);
    if (!(await killAt(run, momentOf(createDraw(seed, kills), pace, killsMost), set.stateDirectory)))
      return kills;
    const journal = await readFile(join(set.stateDirectory, JOURNAL), 'utf8').catch(() => '');
    const count = (kind: string) => journal.split(`{"kind":"${kind}"`).length - 1;
    const hasBegun = new RegExp(`"pid":${run.child.pid}[,}]`).test(journal);
    const isInFlight = count('intent') > count('made') + count('refused');
    const left = !hasBegun ? 'none' : isInFlight ? 'creates in flight' : 'idle';
    struck.set(left, (struck.get(left) ?? 0) + 1);
  }
  return killsMost;
}

/** Starts from a number of changes to the state directory, because that number doesn't depend on load. */
interface Moment {
  readonly changes: number;
  readonly thenMs: number;
}

/** One in six kills hits startup, one in six hits lock and journal creation, and the rest hit job creation. */
function momentOf(draw: Draw, { readyMs, changesReady, changes }: Pace, lives: number): Moment {
  const kind = draw();
  if (kind < 1 / 6) return { changes: 0, thenMs: draw() * readyMs };
  if (kind < 1 / 3) return { changes: Math.ceil(draw() * changesReady), thenMs: draw() };
  const share = (1.5 * draw()) / lives;
  return { changes: changesReady + Math.ceil(share * (changes - changesReady)), thenMs: 10 * draw() };
}

async function killAt(run: Running, { changes, thenMs }: Moment, directory: string): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const stop = onChange(directory, changes, () => {
    timer = setTimeout(() => run.child.kill('SIGKILL'), thenMs);
  });
  const { signal, code, stdout, stderr } = await run.ended;
  clearTimeout(timer);
  stop();
  if (signal !== 'SIGKILL') assert.equal(code, 0, `${stdout}${stderr}`);
  return signal === 'SIGKILL';
}

export function onChange(directory: string, times: number, act: () => void): () => void {
  let seen = 0;
  const watcher = watch(directory, () => {
    if (++seen === times) act();
  });
  if (times === 0) act();
  return () => watcher.close();
}
