import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import Libsql from 'libsql';
import { SCHEMA_VERSION } from '../../src/engine/store/migrations.ts';
import { newDatabase, onDatabase, POSTGRES_URL } from '../engine/store/postgres-server.ts';
import { smallDisk } from '../small-disk.ts';
import refusals from './backup-refusals.json' with { type: 'json' };
import { withEngine, withLiveJob } from './homes.ts';
import { OLDER } from './schema-changes.ts';

describe('engine backup and restore', () => {
  it('bring a served database to another place, keys and ids included', async () => {
    const home = await withLiveJob();
    const { key } = await home.must<{ key: string }>('engine keys create');
    const served = home.start('engine serve --port 0');
    const url = (await served.shown('stdout', /http.*\n/)).trim();
    const send = (method: string, path: string, body?: string) =>
      fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { body }),
      });

    await home.must('engine backup now.backup');
    assert.equal(statSync(join(home.path, 'now.backup')).mode & 0o777, 0o600);
    const later = await send('POST', '/jobs', '{"title":"Later"}');
    const { id } = (await later.json()) as { id: number };
    const there = { env: { PARTNER_ENGINE_DATABASE: 'sqlite:there.db' } };
    const { rows } = await home.must<{ rows: { jobs: number } }>('engine restore now.backup', there);
    assert.equal(rows.jobs, 2);
    const kept = await home.must<{ keys: number }>('engine status', there);
    assert.equal(kept.keys, (await home.must<{ keys: number }>('engine status')).keys);

    // A running server must use the restored data and never reuse an ID.
    await home.must('engine restore now.backup --replace --yes');
    assert.equal((await send('GET', `/jobs/${id}`)).status, 404);
    const next = await send('POST', '/jobs', '{"title":"Next"}');
    assert.equal(((await next.json()) as { id: number }).id, id + 1);
    served.child.kill('SIGTERM');
    await served.ended;
  });

  it('leave the file and the database alone where they are refused', async () => {
    const home = await withEngine();
    await home.must('engine backup now.backup');
    await home.must('engine backup now.backup --force');
    await mkdir(join(home.path, 'set'));
    await home.file('set/cook.json', { title: 'Line cook' });
    await home.must('jobs apply set --yes');
    await home.file('journal', '{"kind":"run","version":1,"runId":"r"}\n');
    await home.file('renamed', await readFile(home.database));
    await symlink(home.database, join(home.path, 'linked'));
    const inUse = new Libsql(home.database);
    inUse.exec('select count(*) from companies');
    const before = readdirSync(home.path).sort();
    const content = await readFile(join(home.path, 'now.backup'));
    await mkdir(join(home.path, 'directory'));
    for (const [line, code, reason] of refusals as [string, number, string][]) {
      const run = await home.run(line);
      assert.equal(run.code, code, `${line}: ${run.stderr}`);
      assert.match(run.stderr + run.stdout, new RegExp(reason, 's'), line);
    }
    assert.deepEqual(readdirSync(home.path).sort(), [...before, 'directory'].sort());
    assert.deepEqual(await readFile(join(home.path, 'now.backup')), content);
    inUse.close();
  });

  it('create and change nothing for a backup that is refused', async () => {
    const home = await withLiveJob();
    await home.must('engine backup good.backup');
    const good = gunzipSync(await readFile(join(home.path, 'good.backup'))).toString();
    await home.file('odd.backup', gzipSync(good.replace('"bid_cents":', '"bid_cents":-')));
    const before = await readFile(home.database);
    const server = POSTGRES_URL === undefined ? undefined : await newDatabase();
    for (const more of [
      '--replace --yes',
      '--database sqlite:new.db',
      server && `--database ${server.url}`,
    ]) {
      if (more === undefined) continue;
      const { code, stderr } = await home.run(`engine restore odd.backup ${more}`);
      assert.equal(code, 3, stderr);
      assert.match(stderr, /can't restore odd\.backup: line \d+, table jobs, row 1: bid_cents must be 0/);
    }
    assert.deepEqual(await readFile(home.database), before);
    assert.equal(readdirSync(home.path).includes('new.db'), false);
    if (server === undefined) return;
    assert.deepEqual(await onDatabase(server.url, "select * from pg_tables where schemaname = 'public'"), []);
    await server.drop();
  });

  it('leave nothing of a backup on a disk that is full', async function () {
    const home = await withLiveJob();
    const disk = join(home.path, 'disk');
    await mkdir(disk);
    const takeAway = smallDisk(disk, 'size=4k');
    if (takeAway === undefined) return this.skip();
    try {
      await home.must([
        'jobs',
        'create',
        '--title',
        'Long',
        '--description',
        randomBytes(10_000).toString('hex'),
      ]);
      const { code, stderr } = await home.run('engine backup disk/now.backup');
      assert.equal(code, 1, stderr);
      assert.match(stderr, /the disk is full/);
      assert.deepEqual(readdirSync(disk), []);
    } finally {
      takeAway();
    }
  });
});

describe('engine migrate', () => {
  it('says from which schema to which, and changes nothing on a dry run', async () => {
    const home = await withEngine();
    const old = new Libsql(join(home.path, 'old.db'));
    old.exec(OLDER.sqlite);
    old.exec("insert into companies (id, name, created_at) values ('cmp_1', 'Old', '2026')");
    old.close();
    const there = { env: { PARTNER_ENGINE_DATABASE: 'sqlite:old.db' } };
    const path = join(home.path, 'old.db');
    const run = (line: string) => home.must<{ from: number; to: number; migrated: boolean }>(line, there);
    const wanted = { database: path, from: 3, to: SCHEMA_VERSION };
    assert.deepEqual(await run('engine migrate --dry-run'), { ...wanted, migrated: false });
    assert.deepEqual(await run('engine migrate --dry-run'), { ...wanted, migrated: false });
    const refused = await home.run('engine backup old.backup', there);
    assert.match(refused.stderr, /schema 3, but this release has/);
    await home.must('engine backup now.backup');
    assert.match((await home.run('engine restore now.backup', there)).stderr, /isn't empty/);
    assert.deepEqual(await run('engine migrate'), { ...wanted, migrated: true });
    assert.deepEqual(await run('engine migrate'), { ...wanted, from: SCHEMA_VERSION, migrated: false });
  });
});
