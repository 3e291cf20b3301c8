import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createDraw } from '../../src/engine/lab/draws.ts';
import { newDatabase, POSTGRES_URL } from '../engine/store/postgres-server.ts';
import { type GeneratedSet, generatedSet } from './generated-set.ts';
import { runLoaded } from './loaded.ts';
import { HANGS_AFTER_MS } from './partner.ts';

export const STATE_KINDS = ['file', 'git', 'postgres'] as const;
export type StateKind = (typeof STATE_KINDS)[number];

export const itOn = (kind: StateKind) => (kind === 'postgres' && POSTGRES_URL === undefined ? it.skip : it);

const LEASE_MS = 1_500;
const ROUNDS_OF_A_SET = 20;
const MAY_END_WITH: readonly unknown[] = [0, 6, 8];

export function makeRepository(path: string, directory: string): void {
  const remote = join(path, 'remote.git');
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: path });
  git('init', '--quiet', '--bare', remote);
  git('init', '--quiet', directory);
  git('-C', directory, 'remote', 'add', 'origin', remote);
  // Each push would start a process that looks for objects to pack.
  git('-C', remote, 'config', 'receive.autogc', 'false');
}

export async function setOn(kind: StateKind, count = 0, leaseMs = LEASE_MS) {
  const set = await generatedSet(count);
  const server = await set.serve();
  await set.callAt(server.url);
  const remote = join(set.home.path, 'remote.git');
  const database = kind === 'postgres' ? await newDatabase() : undefined;
  // The keys of a shared state are relative to the repository.
  makeRepository(set.home.path, 'jobs');
  if (kind !== 'file') set.moveState(database?.url ?? 'git:partner-state', `${leaseMs}ms`);
  const end = async (): Promise<void> => {
    server.running.child.kill('SIGKILL');
    await server.running.ended;
    await database?.drop();
  };
  return { set, remote, database, end };
}

/** Runs concurrent applies and kills some of them; fails on duplicate jobs, lost entries or stale locks. */
export async function stateRounds(kind: StateKind, rounds: number) {
  const figures = { rounds: 0, runs: 0, kills: 0, lockedOut: 0 };
  while (figures.rounds < rounds) {
    const draw = createDraw(23, figures.rounds);
    const { set, end } = await setOn(kind);
    try {
      for (let round = 0; round < ROUNDS_OF_A_SET && figures.rounds < rounds; round++, figures.rounds++) {
        await set.write(round);
        await set.write(Math.floor(draw() * round), { salaryMax: 200_000 + round });
        const runs = Array.from({ length: 2 + Math.floor(3 * draw()) }, () =>
          applyFor(set, draw() < 0.4 ? 800 * draw() : HANGS_AFTER_MS),
        );
        for (const { signal, code, stdout, stderr } of await Promise.all(runs)) {
          figures.runs++;
          if (signal === 'SIGKILL') figures.kills++;
          else assert.ok(MAY_END_WITH.includes(code), `${code}: ${stdout}${stderr}`);
          if (code === 6) figures.lockedOut++;
        }
        set.assertNoneTwice();
      }
      await settle(set);
    } finally {
      await end();
    }
  }
  return figures;
}

function applyFor(set: GeneratedSet, withinMs: number) {
  const env = { ...set.home.environment(), ...set.environment };
  const argv = ['jobs', 'apply', 'jobs', '--publish', '--json'];
  return runLoaded({ argv, cwd: set.home.path, env, stdin: '' }, withinMs);
}

/** Retries, because a killed run's lock lasts up to one lease. Each lease is longer, so that a busy machine can renew it. */
export async function settle(set: GeneratedSet): Promise<void> {
  for (let tries = 1, leaseMs = LEASE_MS; ; tries++, leaseMs = Math.min(1.5 * leaseMs, 600_000)) {
    const { PARTNER_STATE } = set.environment;
    if (PARTNER_STATE !== undefined) set.moveState(PARTNER_STATE, `${Math.round(leaseMs)}ms`);
    const { code, stdout, stderr } = await applyFor(set, HANGS_AFTER_MS);
    if (code === 0) break;
    assert.ok(MAY_END_WITH.includes(code) && tries < 40, stdout + stderr);
    await pause(LEASE_MS / 4);
  }
  await set.assertExact();
  const store = set.store();
  await (await store.lock({ pid: 1, host: 'test', since: 'now', command: 'test' })).release();
}
