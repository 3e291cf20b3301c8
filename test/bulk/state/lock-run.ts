/*
 * Acquires locks in a separate process: `lock-run.ts MODE …`.
 * `hold STATE_PATH`: acquires one lock, prints `held` or the error, and keeps the lock.
 * `race`: reads paths from stdin, one per line. Acquires each lock and prints `won` or the error code. Keeps all locks.
 * `churn STATE_PATH COUNT`: tries COUNT times to acquire and release the lock. Prints how often it succeeded, and each
 * time that another process had the lock too.
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

/** Keeps references, because a lock is released if it's garbage-collected. */
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
