/*
 * Takes locks in a process of its own: `lock-run.ts MODE …`.
 * `hold STATE_PATH`: takes one lock, says `held` or the error, and keeps it.
 * `race`: of each path that comes on stdin, a line each, takes the lock and says `won` or the error's code; keeps all.
 * `churn STATE_PATH COUNT`: COUNT times tries for the lock and gives it back; says how often it had it, and each time
 * that it had it beside another.
 */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline';
import { lockState } from '../../../src/bulk/state/lock.ts';
import { PartnerError } from '../../../src/contract/errors.ts';

const [mode, statePath = '', count = '0'] = process.argv.slice(2);

const say = (text: string): void => void writeSync(1, `${text}\n`);

const lock = (path: string) =>
  lockState(path, {
    pid: process.pid,
    host: hostname(),
    since: new Date().toISOString(),
    command: `partner jobs apply ${mode}`,
  });

/** Locks stay taken as long as somebody refers to them. */
const kept: unknown[] = [];

async function attempt(path: string, won: string): Promise<void> {
  try {
    kept.push(await lock(path));
    say(won);
  } catch (error) {
    say(error instanceof PartnerError ? error.code : String(error));
  }
}

async function churn(): Promise<void> {
  let wins = 0;
  for (let life = 0; life < Number(count); life++) {
    try {
      const { release } = await lock(statePath);
      wins++;
      closeSync(openSync(`${statePath}.alone`, 'wx'));
      rmSync(`${statePath}.alone`);
      release();
    } catch (error) {
      if (!(error instanceof PartnerError && error.code === 'STATE_LOCKED')) say(`not alone: ${error}`);
    }
  }
  say(String(wins));
  process.exitCode = 0;
}

if (mode === 'race') {
  say('ready');
  for await (const path of createInterface(process.stdin)) await attempt(path, 'won');
} else if (mode === 'churn') {
  say('ready');
  for await (const _ of createInterface(process.stdin)) await churn();
} else {
  await attempt(statePath, 'held');
  process.stdin.resume();
}
