import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { createInterface } from 'node:readline';
import { mock } from 'node:test';
import { type LockHolder, lockState } from '../../../src/bulk/state/lock.ts';
import type { FileLock } from '../../../src/files/file-lock.ts';
import { childScript } from '../../child-script.ts';
import { partnerError } from '../../cli/settings/partner-error.ts';
import { isNotHere } from '../../cli/shell.ts';
import { tempDirectory } from '../../temp-directory.ts';
import { times } from '../../times.ts';

const SELF: LockHolder = {
  pid: 42,
  host: 'ci-1',
  since: '2025-11-21T07:09:00.000Z',
  command: 'partner jobs apply jobs',
};

const temp = tempDirectory();
const statePath = (): string => temp('.partner/state.json');

const held: FileLock[] = [];
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const lock of held.splice(0)) lock.release();
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL'))
      await once(child, 'close');
  }
});

async function lock(self: Partial<LockHolder> = {}, path = statePath()): Promise<FileLock> {
  const taken = await lockState(path, { ...SELF, ...self });
  held.push(taken);
  return taken;
}

const holder = (): LockHolder => JSON.parse(readFileSync(temp('.partner/state.lock'), 'utf8'));

const refused = partnerError(
  'STATE_LOCKED',
  /by process 42 on ci-1 since 2025-11-21T07:09:00\.000Z: partner jobs apply jobs → wait until/,
);

let script = '';
before(async () => {
  script = await childScript(new URL('lock-run.ts', import.meta.url));
});

/** Starts a process that acquires locks. `said` returns its next line of output. */
function started(...argv: string[]): {
  child: ChildProcess;
  said: () => Promise<string>;
  tell: (line: string) => void;
} {
  const child = spawn(process.execPath, [script, ...argv], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    child,
    said: async () => String((await lines.next()).value),
    tell: (line) => void child.stdin.write(`${line}\n`),
  };
}

describe('the lock of a state', () => {
  it('is next to the state, in a directory that it creates, and leaves an empty file', async () => {
    const { release } = await lock();
    assert.deepEqual(readdirSync(temp('.partner')).sort(), ['.gitignore', 'state.lock', 'state.lock.db']);
    release();
    held.pop();
    assert.deepEqual(readdirSync(temp('.partner')).sort(), ['.gitignore', 'state.lock.db']);
    assert.equal(readFileSync(temp('.partner/state.lock.db'), 'utf8'), '');
  });

  it('is refused to a second apply, with the holder, until it is released', async () => {
    const first = await lock();
    await assert.rejects(lock({ pid: 43 }), refused);
    await assert.rejects(lock(), refused);
    first.release();
    held.pop();
    await lock({ pid: 43 });
    assert.equal(holder().pid, 43);
  });

  it('is refused even if the file with the holder is damaged', async () => {
    await lock();
    for (const text of ['', '{"pid":4', '[]']) {
      writeFileSync(temp('.partner/state.lock'), text);
      await assert.rejects(lock(), partnerError('STATE_LOCKED', /is locked by another apply →/));
    }
  });

  it('is the same lock for both paths of a linked state', async () => {
    mkdirSync(temp('.partner'));
    symlinkSync('.partner', temp('linked'));
    await lock();
    await assert.rejects(lock({ pid: 43 }, temp('linked/state.json')), refused);
  });

  for (const [type, name] of [
    [0x6969, 'NFS'],
    [0xfe534d42, 'SMB'],
  ] as const)
    it(`is refused on ${name}, which can't lock across machines, with a hint`, async () => {
      const statfs = mock.method(fs, 'statfsSync', () => ({ type }));
      syncBuiltinESMExports();
      try {
        const says = new RegExp(`can't lock .*: it is on ${name}, .* → .*--state.*--no-lock`);
        await assert.rejects(lock(), partnerError('STATE_UNUSABLE', says));
      } finally {
        statfs.mock.restore();
        syncBuiltinESMExports();
      }
    });
});

const ATTEMPTS = times(40, 1_000);
const RACERS = times(4, 8);

describe('the lock of a state, between real processes,', () => {
  it('is refused while its process runs, and free after that is killed', async () => {
    const first = started('hold', statePath());
    assert.equal(await first.said(), 'held');
    const says = new RegExp(`by process ${first.child.pid} on .*: partner jobs apply hold`);
    await assert.rejects(lock(), partnerError('STATE_LOCKED', says));
    first.child.kill('SIGKILL');
    await once(first.child, 'close');
    await lock();
    assert.deepEqual(holder(), SELF);
  });

  it('stays with a stopped process, even if the next one has another clock', async () => {
    const first = started('hold', statePath());
    assert.equal(await first.said(), 'held');
    first.child.kill('SIGSTOP');
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    await assert.rejects(lock({ since: tomorrow, host: 'ci-2' }), partnerError('STATE_LOCKED', /apply hold/));
  });

  it('is free if its process was killed but is still a zombie', async function () {
    if (isNotHere('/proc/self/stat')) this.skip();
    // The shell becomes `sleep`, which never waits for its children.
    const command = '"$0" "$@" <&3 & exec sleep 1000';
    const argv = ['-c', `exec 3<&0; ${command}`, process.execPath, script, 'hold', statePath()];
    const parent = spawn('bash', argv, { stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(parent);
    await once(parent.stdout, 'data');
    const { pid } = holder();
    process.kill(pid, 'SIGKILL');
    while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) await new Promise(setImmediate);
    await lock();
    assert.deepEqual(holder(), SELF);
  });

  it(`is acquired by exactly one of ${RACERS} simultaneous processes`, async () => {
    const racers = Array.from({ length: RACERS }, () => started('race'));
    for (const { said } of racers) assert.equal(await said(), 'ready');
    for (let round = 0; round < 3; round++) {
      for (const { tell } of racers) tell(temp(`round-${round}/state.json`));
      const said = await Promise.all(racers.map((racer) => racer.said()));
      assert.deepEqual(said.sort(), [...Array(RACERS - 1).fill('STATE_LOCKED'), 'won'], `round ${round}`);
    }
  });

  it('is never acquired by two processes at once', async () => {
    mkdirSync(temp('.partner'));
    const churners = [1, 2, 3, 4].map(() => started('churn', statePath(), `${ATTEMPTS}`));
    for (const { said } of churners) assert.equal(await said(), 'ready');
    for (const { tell } of churners) tell('go');
    const wins = await Promise.all(churners.map(({ said }) => said()));
    for (const win of wins) assert.match(win, /^\d+$/);
    const sum = wins.reduce((total, win) => total + Number(win), 0);
    assert.ok(sum >= ATTEMPTS, `${sum} of ${4 * ATTEMPTS} had it`);
  });
});
