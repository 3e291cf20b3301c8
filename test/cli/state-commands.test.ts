import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lockState } from '../../src/bulk/state/lock.ts';
import { newDatabase } from '../engine/store/postgres-server.ts';
import { type Home, newHome } from './partner.ts';
import { itOn, makeRepository } from './state-rounds.ts';

const KILLED = {
  NODE_OPTIONS: `--require ${fileURLToPath(new URL('killed-at-removal.cjs', import.meta.url))}`,
};
const GIT = { PARTNER_STATE: 'git:partner-state' };
const SELF = { pid: 42, host: 'ci-1', since: '2026-01-02T03:04:05.000Z', command: 'partner jobs apply' };

describe('partner state', () => {
  let home: Home;
  let cwd: string;
  let state: string;
  const run = (line: string, env = {}) => home.run(line, { cwd, env });
  const json = (line: string, env = {}) => home.must<Record<string, unknown>>(line, { cwd, env });

  beforeEach(async () => {
    home = await newHome();
    cwd = join(home.path, 'repo');
    state = join(cwd, 'jobs/.partner/state.json');
    makeRepository(home.path, 'repo');
    for (const path of ['jobs', 'node_modules/a/.partner']) mkdirSync(join(cwd, path), { recursive: true });
    writeFileSync(join(cwd, 'node_modules/a/.partner/state.json'), '');
    writeFileSync(join(cwd, 'jobs/nurse.json'), '{"title":"Nurse"}');
  });

  it('moves a state whose next apply knows its jobs, also after a kill before the removal', async () => {
    await json('jobs apply jobs');
    const killed = await run('state move git:partner-state jobs', KILLED);
    assert.deepEqual([killed.signal, existsSync(state)], ['SIGKILL', true], killed.stderr);
    assert.equal((await run('state unlock', GIT)).code, 2);
    assert.equal((await json('state unlock --yes', GIT)).unlocked, true);
    const moved = await json('state move git:partner-state jobs');
    const expected = [{ from: state, to: 'git:partner-state', listings: 1 }, false];
    assert.deepEqual([moved, existsSync(state)], expected);
    assert.deepEqual((await json('jobs plan jobs', GIT)).items, []);
    const back = await run('state move jobs/.partner/state.json', GIT);
    assert.match(back.stderr, /unset PARTNER_STATE/);
    assert.deepEqual((await json('jobs plan jobs')).items, []);
    assert.deepEqual((await json('state list', GIT)).items, [await json('state show jobs')]);
  });

  it('shows a state without creating one, and who holds its lock', async () => {
    assert.equal((await json('state show jobs')).exists, false);
    assert.match((await run('state show jobs')).stderr, /`partner jobs apply` creates the state/);
    assert.deepEqual(readdirSync(join(cwd, 'jobs')), ['nurse.json']);
    const lock = await lockState(state, SELF);
    assert.deepEqual((await json('state show jobs')).lock, { holder: SELF, expiresAt: null });
    const refused = await run('state unlock jobs --yes');
    assert.equal(refused.code, 6);
    assert.match(refused.stderr, /by process 42 on ci-1 [\s\S]*or end it to release the lock/);
    lock.release();
    writeFileSync(join(cwd, 'jobs/.partner/state.lock'), JSON.stringify(SELF));
    assert.deepEqual(await json('state unlock jobs'), { location: state, unlocked: false, lock: null });
  });

  itOn('postgres')('lists the states of a repository and a database, without the password', async () => {
    const { url, drop } = await newDatabase();
    const [secret, shown] = ['s3cr%40t', '***'].map((each) => url.replace('partner@', `partner:${each}@`));
    for (const name of ['b', 'a']) {
      await home.file('old.json', '{"version":1,"server":"x","idempotencyKeys":true,"listings":{}}');
      const moved = await run(`state move ${secret}?state=${name} --state ../old.json`);
      assert.deepEqual([moved.code, /s3cr/.test(moved.stdout + moved.stderr)], [0, false], moved.stderr);
    }
    await json('jobs apply jobs');
    const { items } = await json('state list', { PARTNER_STATE: secret });
    const locations = (items as { location: string }[]).map(({ location }) => location);
    assert.deepEqual(locations, [state, `${shown}?state=a`, `${shown}?state=b`]);
    await drop();
  });
});
