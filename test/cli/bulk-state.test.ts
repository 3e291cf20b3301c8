import assert from 'node:assert/strict';
import { chmod, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockState } from '../../src/bulk/state/lock.ts';
import { draftSet, listingOf, newSet, together } from './bulk.ts';
import { OTHER_MACHINE } from './partner.ts';

const it = together();

const SERVER = 'http://localhost/v1';

const UNUSABLE: Readonly<Record<string, readonly [change: (text: string) => string, says: RegExp]>> = {
  'from a newer release': [(text) => text.replace('"version": 1', '"version": 2'), /newer release/],
  'left with conflict markers': [
    (text) => text.replace('"listings": {\n', '"listings": {\n<<<<<<< HEAD\n'),
    /line 7, column 1: unresolved merge conflict: <{7}/,
  ],
  'of another server': [
    (text) => text.replace(SERVER, 'https://api.example.com/v1'),
    /lists jobs on https:\/\/api\.example\.com\/v1, but this run uses http:\/\/localhost\/v1/,
  ],
};

describe('a state that', () => {
  for (const [what, [change, says]] of Object.entries(UNUSABLE))
    it(`is ${what} is refused with exit 2, by plan and apply, and kept byte for byte`, async () => {
      const set = await draftSet();
      const text = await set.restate(change);
      const beside = await readdir(join(set.home.path, 'jobs/.partner'));
      const runs = await Promise.all([set.plan(), set.apply()]);
      for (const { code, error, calls } of runs) {
        assert.deepEqual([code, error?.code, calls], [2, 'STATE_UNUSABLE', []]);
        assert.match(error?.message ?? '', says);
        assert.ok(error?.hint);
      }
      assert.equal(await readFile(set.statePath, 'utf8'), text);
      assert.deepEqual(await readdir(join(set.home.path, 'jobs/.partner')), beside);
    });

  it('cannot be written stops the run before its first call: exit 2', async () => {
    const set = await newSet();
    await set.home.handOver();
    await chmod(join(set.home.path, 'jobs'), 0o555);
    const { code, error, sent } = await set.apply([], { asNobody: true });
    await chmod(join(set.home.path, 'jobs'), 0o755);
    assert.deepEqual([code, error?.code, sent], [2, 'STATE_UNUSABLE', []]);
    assert.match(error?.message ?? '', /can't be (?:written|made).*permission denied/);
  });

  it('another apply holds is left to it, by whatever clock and machine: exit 6 says who; plan may look', async () => {
    const set = await draftSet();
    const since = '2025-11-21T07:09:00.000Z';
    const holder = { pid: 42, host: 'ci-1', since, command: 'partner jobs apply jobs' };
    const lock = await lockState(set.statePath, holder);
    await set.write('d.json', listingOf('Driver'));
    const [planned, ...refused] = await Promise.all([
      set.plan(),
      set.apply(),
      set.apply([], { env: { NODE_OPTIONS: `--require ${OTHER_MACHINE}` } }),
    ]);
    lock.release();
    for (const { code, error, sent } of refused) {
      assert.deepEqual([code, error?.code, sent], [6, 'STATE_LOCKED', []]);
      assert.ok(error?.message.includes(`by process 42 on ci-1 since ${since}: partner jobs apply`));
    }
    assert.deepEqual([planned.code, planned.done], [0, ['create d.json']]);
    assert.deepEqual((await set.must()).sent, ['POST /jobs']);
  });
});

describe('a state on a file system that cannot lock', () => {
  const env = { NODE_OPTIONS: `--require ${OTHER_MACHINE}`, ON_NFS: 'yes' };

  it('is not applied, and says so: exit 2; with --no-lock it is, and leaves no lock', async () => {
    const set = await newSet();
    const { code, error, sent } = await set.apply([], { env });
    assert.deepEqual([code, error?.code, sent], [2, 'STATE_UNUSABLE', []]);
    assert.match(error?.message ?? '', /it is on NFS/);
    assert.match(error?.hint ?? '', /--no-lock/);
    assert.equal((await set.plan([], { env })).code, 0);
    await rm(join(set.home.path, 'jobs/.partner'), { recursive: true });
    await set.must('--no-lock', { env });
    assert.equal(set.home.storedJobs(), 3);
    const beside = await readdir(join(set.home.path, 'jobs/.partner'));
    assert.deepEqual(beside.sort(), ['.gitignore', 'state.json', 'state.last-run.json']);
  });
});

it('beside the files an apply leaves the state, the same after a run that changed nothing, and nothing personal', async () => {
  const set = await draftSet();
  const directory = join(set.home.path, 'jobs/.partner');
  const before = await readFile(set.statePath, 'utf8');
  await set.must('--concurrency 3');
  assert.equal(await readFile(set.statePath, 'utf8'), before);
  const names = await readdir(directory);
  assert.deepEqual(names.sort(), ['.gitignore', 'state.json', 'state.last-run.json', 'state.lock.db']);
  for (const name of names) {
    const text = await readFile(join(directory, name), 'utf8');
    assert.ok(!text.includes(set.home.path) && !text.includes('sk_ext_'), name);
    if (name === '.gitignore') assert.match(text, /last-run|journal/);
  }
});
