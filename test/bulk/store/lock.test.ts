import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline';
import { mock } from 'node:test';
import { type LockOptions, lockPath, lockState, type StateLock } from '../../../src/bulk/store/lock.ts';
import type { LockHolder, Processes } from '../../../src/bulk/store/lock-holder.ts';
import { isNotHere } from '../../cli/shell.ts';
import { partnerError } from '../../settings/partner-error.ts';
import { childScript } from './child-script.ts';
import { smallDisk } from './small-disk.ts';
import { tempDirectory } from './temp-directory.ts';

const NOW = Date.parse('2025-11-21T07:09:00.000Z');

const temp = tempDirectory();
const statePath = (): string => temp('.partner/state.json');
const path = (): string => temp('.partner/state.lock');

const held: StateLock[] = [];
const children: ChildProcess[] = [];
afterEach(async () => {
  await Promise.all(held.splice(0).map((lock) => lock.release()));
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL'))
      await once(child, 'close');
  }
});

/** Processes as a test says them: each alive one by its start. */
function only(
  alive: Readonly<Record<number, string | undefined>>,
  machine: string | undefined = 'here',
): Processes {
  return { isAlive: (pid) => pid in alive, startOf: (pid) => alive[pid], machine };
}

async function lock(options: Partial<LockOptions> = {}): Promise<StateLock> {
  const all = { now: () => NOW, host: 'ci-1', pid: 42, command: 'partner jobs apply jobs', ...options };
  const taken = await lockState(statePath(), all);
  held.push(taken);
  return taken;
}

const holder = (): LockHolder => JSON.parse(readFileSync(path(), 'utf8'));

const refused = partnerError(
  'STATE_LOCKED',
  /process 42 on ci-1 since 2025-11-21T07:09:00\.000Z: partner jobs apply jobs → .*remove .*state\.lock$/,
);

const script = childScript(new URL('lock-run.ts', import.meta.url));

/** A process that takes locks; `said` gives what it says next. */
function started(...argv: string[]): {
  child: ChildProcess;
  said: () => Promise<string>;
  tell: (line: string) => void;
} {
  const child = spawn(process.execPath, [script, ...argv], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    child,
    said: async () => String((await lines.next()).value),
    tell: (line) => void child.stdin.write(`${line}\n`),
  };
}

describe('the lock of a state', () => {
  it('lies beside it, in a directory that it makes', async () => {
    const { release } = await lock();
    assert.equal(lockPath(statePath()), path());
    assert.deepEqual(readdirSync(temp('.partner')).sort(), ['.gitignore', 'state.lock']);
    await release();
    assert.deepEqual(readdirSync(temp('.partner')), ['.gitignore']);
  });

  it('is refused to a second apply, which is told who holds it', async () => {
    const processes = only({ 42: 'a', 43: 'b' });
    const first = await lock({ processes });
    await assert.rejects(lock({ pid: 43, processes }), refused);
    await assert.rejects(lock({ processes }), refused);
    await first.release();
    await lock({ pid: 43, processes });
    assert.deepEqual(readdirSync(temp('.partner')).sort(), ['.gitignore', 'state.lock']);
  });

  it('is taken over at once where its process has ended', async () => {
    await lock({ processes: only({ 42: 'a' }) });
    await lock({ pid: 43, processes: only({ 43: 'b' }) });
    assert.equal(holder().pid, 43);
    assert.deepEqual(readdirSync(temp('.partner')).sort(), ['.gitignore', 'state.lock']);
  });

  it('is taken over at once where its pid is another process by now, also the one that asks', async () => {
    await lock({ processes: only({ 42: 'a' }) });
    await lock({ processes: only({ 42: 'b' }) });
    assert.equal(holder().start, 'b');
  });

  it('is held by a living process where the system does not tell when that was started', async () => {
    await lock({ processes: only({ 42: undefined }, undefined) });
    await assert.rejects(
      lock({ pid: 43, processes: only({ 42: undefined, 43: undefined }, undefined) }),
      refused,
    );
    await assert.rejects(lock({ pid: 43, processes: only({ 42: 'a', 43: 'b' }, undefined) }), refused);
  });

  const elsewhere: readonly (readonly [what: string, other: Partial<LockOptions>])[] = [
    ['on another machine', { host: 'ci-2', processes: only({ 43: 'b' }) }],
    ['in another container, or before a restart', { processes: only({ 43: 'b' }, 'there') }],
  ];
  for (const [what, other] of elsewhere) {
    it(`of a process ${what} is taken over after a minute without a sign of life`, async () => {
      await lock({ processes: only({ 42: 'a' }) });
      await assert.rejects(lock({ pid: 43, ...other, now: () => NOW + 60_000 }), refused);
      await lock({ pid: 43, ...other, now: () => NOW + 60_001 });
      assert.equal(holder().pid, 43);
    });
  }

  it('shows every 10 seconds that it is held, until it is released', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      let now = NOW;
      const { release } = await lock({ now: () => now, processes: only({ 42: 'a' }) });
      now += 70_000;
      mock.timers.tick(10_000);
      assert.equal(statSync(path()).mtimeMs, now);
      await assert.rejects(lock({ host: 'ci-2', now: () => now }), refused);
      await release();
      const { release: releaseOther } = await lock({ host: 'ci-2', now: () => NOW });
      mock.timers.tick(9_999);
      assert.equal(statSync(path()).mtimeMs, NOW, 'no sign of life from the one that was released');
      await releaseOther();
    } finally {
      mock.timers.reset();
    }
  });

  it('that another has taken over is neither removed nor kept alive by who had it', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      const first = await lock({ now: () => NOW, processes: only({ 42: 'a' }) });
      await lock({ host: 'ci-2', now: () => NOW + 70_000 });
      utimesSync(path(), 5, 5);
      mock.timers.tick(9_999);
      await first.release();
      assert.equal(holder().host, 'ci-2');
      assert.equal(statSync(path()).mtimeMs, 5000);
    } finally {
      mock.timers.reset();
    }
  });

  it('that names nobody is taken over after a minute', async () => {
    mkdirSync(temp('.partner'));
    for (const text of ['', '{"pid":42}', '{"id":"../x","pid":42,"host":"h","since":1,"command":"c"}']) {
      writeFileSync(path(), text);
      utimesSync(path(), NOW / 1000, NOW / 1000);
      await assert.rejects(lock(), partnerError('STATE_LOCKED', /by a process that does not say who it is/));
      const { release } = await lock({ now: () => NOW + 60_001 });
      await release();
    }
  });

  it('sweeps up what killed processes have left, and nothing else', async () => {
    mkdirSync(temp('.partner'));
    const id = '0b6d3f0e-52a5-4d5a-9a68-4f8cf9a9b0aa';
    const files = [`state.lock.${id}`, `state.lock.${id}.draft`, 'state.lock.mine', 'state.json'];
    for (const name of files) writeFileSync(temp('.partner', name), '');
    await lock({ now: () => Date.now() + 61_000 });
    assert.deepEqual(readdirSync(temp('.partner')).sort(), ['state.json', 'state.lock', 'state.lock.mine']);
  });

  it('that cannot be made says why', async () => {
    mkdirSync(path(), { recursive: true });
    await assert.rejects(
      lock(),
      partnerError('STATE_UNUSABLE', /state\.lock cannot be written: it is a directory/),
    );
    writeFileSync(temp('file'), '');
    const options = { now: () => NOW, host: 'ci-1', pid: 42, command: 'apply' };
    const below = lockState(temp('file/.partner/state.json'), options);
    await assert.rejects(
      below,
      partnerError('STATE_UNUSABLE', /cannot be written: a part of its path is a file/),
    );
  });

  it('that may not be made says why', async function () {
    mkdirSync(temp('.partner'));
    // Root may write everywhere but on a read-only file system.
    const isRoot = process.getuid?.() === 0;
    const takeAway = isRoot ? smallDisk(temp('.partner'), 'ro') : () => {};
    if (takeAway === undefined) return this.skip();
    if (!isRoot) chmodSync(temp('.partner'), 0o555);
    try {
      const says =
        /state\.lock cannot be written: (?:it lies on a read-only file system|this user may not) → .*--state/;
      await assert.rejects(lock(), partnerError('STATE_UNUSABLE', says));
    } finally {
      takeAway();
    }
  });

  it('is one lock for the two names of a state that a link gives', async () => {
    mkdirSync(temp('.partner'));
    symlinkSync('.partner', temp('linked'));
    const processes = only({ 42: 'a' });
    await lock({ processes });
    const options = { now: () => NOW, host: 'ci-1', pid: 43, command: 'apply', processes };
    await assert.rejects(lockState(temp('linked/state.json'), options), refused);
  });
});

describe('the lock of a state, between real processes,', () => {
  const here = (): Partial<LockOptions> => ({ now: Date.now, host: hostname(), pid: process.pid });

  it('is refused while its process lives, and taken over as soon as that is killed', async () => {
    const first = started('hold', statePath());
    assert.equal(await first.said(), 'held');
    const says = partnerError(
      'STATE_LOCKED',
      new RegExp(`process ${first.child.pid} on .*: partner jobs apply hold`),
    );
    await assert.rejects(lock(here()), says);
    first.child.kill('SIGKILL');
    await once(first.child, 'close');
    await lock(here());
    assert.equal(holder().pid, process.pid);
  });

  it('is taken over from a process that was killed and that its parent has not noticed', async function () {
    if (isNotHere('/proc/self/stat')) this.skip();
    // The shell has become `sleep`, which waits for no child.
    const command = '"$0" "$@" <&3 & exec sleep 1000';
    const parent = spawn(
      'bash',
      ['-c', `exec 3<&0; ${command}`, process.execPath, script, 'hold', statePath()],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    children.push(parent);
    await once(parent.stdout, 'data');
    process.kill(holder().pid, 'SIGKILL');
    const { pid } = holder();
    while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) await new Promise(setImmediate);
    await lock(here());
    assert.equal(holder().pid, process.pid);
  });

  it('is won by exactly one of 8 that find one stale lock at the same moment', async () => {
    const dead = started('hold', statePath());
    assert.equal(await dead.said(), 'held');
    dead.child.kill('SIGKILL');
    await once(dead.child, 'close');
    const stale = readFileSync(path());
    const racers = Array.from({ length: 8 }, () => started('race'));
    for (const { said } of racers) assert.equal(await said(), 'ready');
    for (let round = 0; round < 30; round++) {
      mkdirSync(temp(`round-${round}`));
      writeFileSync(temp(`round-${round}/state.lock`), stale);
      for (const { tell } of racers) tell(temp(`round-${round}/state.json`));
      const said = await Promise.all(racers.map((racer) => racer.said()));
      assert.deepEqual(said.sort(), [...Array(7).fill('STATE_LOCKED'), 'won'], `round ${round}`);
      assert.deepEqual(readdirSync(temp(`round-${round}`)), ['state.lock']);
    }
  });

  it('is never had by two, however often its holders die or give it back', async () => {
    mkdirSync(temp('alive'));
    const churners = [1, 2, 3, 4].map((number) =>
      started('churn', statePath(), temp('alive'), '400', String(number)),
    );
    for (const { said } of churners) assert.equal(await said(), 'ready');
    for (const { tell } of churners) tell('go');
    const wins = await Promise.all(churners.map(({ said }) => said()));
    for (const win of wins) assert.match(win, /^\d+$/);
    const sum = wins.reduce((total, win) => total + Number(win), 0);
    assert.ok(sum > 50, `${sum} of 1600 had it`);
  });
});
