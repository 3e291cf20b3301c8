import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { resolvedListing } from '../../bench/listings.ts';
import { onDatabase, POSTGRES_URL } from '../engine/store/postgres-server.ts';
import { itAtLength } from '../times.ts';
import { itOn, STATE_KINDS, setOn, settle, stateRounds } from './state-rounds.ts';

const git = async (cwd: string, line: string) =>
  (await promisify(execFile)('git', line.split(' '), { cwd })).stdout.trim();

const SLOWLY = ['--publish', '--json', '--debug', '--concurrency', '2', '--rate', '4/s'];

async function cutOff({ remote, database }: Awaited<ReturnType<typeof setOn>>, isAway: boolean) {
  if (database === undefined)
    return rename(isAway ? remote : `${remote}.away`, isAway ? `${remote}.away` : remote);
  const [name, server] = [new URL(database.url).pathname.slice(1), String(POSTGRES_URL)];
  await onDatabase(server, `alter database ${name} allow_connections ${!isAway}`);
  await onDatabase(
    server,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
}

describe('a shared state', () => {
  for (const kind of STATE_KINDS)
    itOn(kind)(`of the kind ${kind} survives concurrent applies and kills`, async () => {
      await stateRounds(kind, 1);
    });

  // With git, the run continues until its lease ends.
  for (const kind of ['git', 'postgres'] as const)
    (kind === 'git' ? itAtLength : itOn(kind))(
      `of the kind ${kind} stops the run if its server is cut off`,
      async () => {
        const on = await setOn(kind, 40);
        const { PARTNER_STATE = '' } = on.set.environment;
        // A busy machine may lose a short lease before the first request.
        const begin = async (leaseMs: number): Promise<ReturnType<typeof on.set.start>> => {
          on.set.moveState(PARTNER_STATE, `${leaseMs}ms`);
          const run = on.set.start(SLOWLY);
          const isBegun = await run.shown('stderr', /POST \S+ 201/).then(
            () => true,
            () => false,
          );
          assert.ok(isBegun || leaseMs < 600_000);
          return isBegun ? run : begin(2 * leaseMs);
        };
        const run = await begin(5_000);
        await cutOff(on, true);
        const { code, stdout } = await run.ended;
        assert.deepEqual([code, /STATE_UNREACHABLE/.test(stdout), /"created"/.test(stdout)], [8, true, true]);
        assert.ok(on.set.jobs().length < 40);
        await cutOff(on, false);
        await settle(on.set);
        await on.end();
      },
    );

  it('on a branch has one commit for each change, and leaves the checkout as it is', async () => {
    const { set, remote, end } = await setOn('git', 2, 600_000);
    await git(set.directory, 'add 00000.json');
    const before = await git(set.directory, 'status --short');
    for (let run = 0; run < 3; run++) assert.equal((await set.apply()).code, 0);
    assert.equal(await git(remote, 'rev-list --count partner-state'), '1');
    await git(set.home.path, `clone --quiet --depth=1 -b partner-state file://${remote} shallow`);
    await set.home.file('shallow/00001.json', { ...resolvedListing(1), salaryMax: 250_000 });
    await set.home.must(['jobs', 'apply', '00001.json'], {
      env: set.environment,
      cwd: join(set.home.path, 'shallow'),
    });
    assert.equal(await git(remote, 'rev-list --count partner-state'), '2');
    assert.equal((await set.apply(['--prune', '--yes'])).items.length, 1);
    assert.equal(await git(set.directory, 'status --short'), before);
    await end();
  });

  it('shows no password', async () => {
    const { set, end } = await setOn('git', 1, 600_000);
    const secret = 'postgres://ann:s3cr%40t@127.0.0.1:1/x?password=s3cr%40t';
    for (const verb of ['plan', 'apply']) {
      const run = await set.home.run(['jobs', verb, 'jobs', '--debug', '--state', secret]);
      assert.deepEqual([run.code, /s3cr/.test(run.stdout + run.stderr)], [8, false], run.stderr);
    }
    await end();
  });
});
