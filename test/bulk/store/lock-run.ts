/*
 * Takes locks in a process of its own: `lock-run.ts MODE …`.
 * `hold STATE_PATH`: takes one lock, says `held` or the error, and keeps it.
 * `race`: of each path that comes on stdin, a line each, takes the lock and says `won` or the error's code; keeps all.
 * `churn STATE_PATH DIRECTORY COUNT NUMBER`: lives and dies COUNT times, as processes that are alive while
 * DIRECTORY has a file of their pid; says how often it had the lock, and each time that it had it beside another.
 */
import { closeSync, existsSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { lockState } from '../../../src/bulk/store/lock.ts';
import { PartnerError } from '../../../src/contract/errors.ts';

const [mode, statePath = '', directory = '', count = '0', number = '0'] = process.argv.slice(2);
const HERE = { now: Date.now, host: hostname(), command: `partner jobs apply ${mode}` };

const say = (text: string): void => void writeSync(1, `${text}\n`);

async function attempt(path: string, won: string): Promise<void> {
  try {
    await lockState(path, { ...HERE, pid: process.pid });
    say(won);
  } catch (error) {
    say(error instanceof PartnerError ? error.code : String(error));
  }
}

async function churn(): Promise<void> {
  const alive = (pid: number): string => join(directory, String(pid));
  const processes = { isAlive: (pid: number) => existsSync(alive(pid)), startOf: () => 'x', machine: 'here' };
  let wins = 0;
  for (let life = 0; life < Number(count); life++) {
    const pid = life * 100 + Number(number);
    writeFileSync(alive(pid), '');
    try {
      const lock = await lockState(statePath, { ...HERE, pid, processes });
      wins++;
      closeSync(openSync(join(directory, 'the one'), 'wx'));
      rmSync(join(directory, 'the one'));
      if (life % 3 === 0) await lock.release();
    } catch (error) {
      if (!(error instanceof PartnerError && error.code === 'STATE_LOCKED')) say(`not alone: ${error}`);
    }
    rmSync(alive(pid));
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
