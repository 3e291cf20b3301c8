import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Libsql from 'libsql';
import type { PartnerError } from '../../src/contract/errors.ts';
import { sqliteFile } from '../../src/engine/store/address.ts';
import { openSqliteStore } from '../../src/engine/store/sqlite.ts';
import { fillDisk, smallDisk } from '../small-disk.ts';
import { candidateOf } from './applications/candidate.ts';
import { PDF } from './applications/documents.ts';
import { somebodyElse } from './applications/somebody.ts';
import { dashboardOn } from './dashboard/dashboard-under-test.ts';
import { type Answer, type EngineUnderTest, engineOn } from './engine-under-test.ts';
import { COMPLETE } from './listing.ts';
import { databaseAt } from './store/dialects.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** Larger than the free space in a log that was written before the disk was full. */
const LARGE = 'x'.repeat(90_000);

describe('an engine on a full disk', () => {
  const disks: (() => void)[] = [];
  // The mounts must be removed before the directory that contains them.
  after(() => {
    for (const takeAway of disks) takeAway();
  });
  const path = temporaryDirectory();
  let onDisk: (name: string) => string;
  let filler: string;

  // Each test needs a new disk: closed databases release space only when their statements are garbage collected.
  beforeEach(function () {
    const disk = `disk-${disks.length}`;
    mkdirSync(path(disk), { recursive: true });
    const takeAway = smallDisk(path(disk), 'size=4m');
    if (takeAway === undefined) return this.skip();
    disks.push(takeAway);
    onDisk = (name) => path(`${disk}/${name}`);
    filler = onDisk('filler');
  });

  function assertUnavailable(engine: EngineUnderTest, { status, headers, body }: Answer, what: string): void {
    assert.deepEqual([status, body.error?.code, headers.get('retry-after')], [503, 'UNAVAILABLE', '5'], what);
    assert.doesNotMatch(JSON.stringify(body), /disk-|\.db/, 'no path of this machine is told');
    const bug = engine.bugs.pop() as PartnerError;
    assert.equal(bug.code, 'DATABASE_UNUSABLE', bug.stack);
    assert.match(bug.message, /the disk is full/);
  }

  it('answers every write with 503 and Retry-After, reads on, and takes the same writes once there is room', async () => {
    const engine = await engineOn(databaseAt(sqliteFile(onDisk('served.db'))));
    const candidate = candidateOf(engine);
    const draft = (await engine.call('POST', '/jobs', COMPLETE)).body;
    const [live, ended, paused, open] = await Promise.all([0, 1, 2, 3].map(() => candidate.publish()));
    await engine.call('POST', `/jobs/${paused.id}/pause`);
    const { body: file } = await candidate.upload(PDF);
    const pdf = Buffer.concat([PDF, Buffer.alloc(300_000)]);
    const applicant = somebodyElse()({ resume: file.fileId });
    const writes: readonly (readonly [what: string, write: () => Promise<Answer>])[] = [
      ['create', () => engine.call('POST', '/jobs', { title: 'Cook', description: LARGE })],
      [
        'create with a key',
        () => engine.call('POST', '/jobs', { title: 'Cook' }, { 'idempotency-key': 'k' }),
      ],
      ['update', () => engine.call('PATCH', `/jobs/${draft.id}`, { description: LARGE })],
      ['publish', () => engine.call('POST', `/jobs/${draft.id}/publish`)],
      ['pause', () => engine.call('POST', `/jobs/${live.id}/pause`)],
      ['resume', () => engine.call('POST', `/jobs/${paused.id}/resume`)],
      ['close', () => engine.call('POST', `/jobs/${ended.id}/close`)],
      ['upload', () => candidate.upload(pdf)],
      ['apply', () => candidate.post(open.id, applicant)],
    ];
    const listed = async () => (await engine.call('GET', '/jobs')).body;

    const before = await listed();
    fillDisk(filler);
    // SQLite reuses the space of its log, so only a log that has to grow fails.
    await engine.call('POST', '/jobs', { title: 'Cook', description: LARGE });
    engine.bugs.length = 0;
    const files = readdirSync(onDisk('served.db-files'));
    for (const [what, write] of writes) assertUnavailable(engine, await write(), what);
    const together = await Promise.all(writes.map(([, write]) => write()));
    for (const [index, answer] of together.entries()) assert.equal(answer.status, 503, writes[index]?.[0]);
    engine.bugs.length = 0;
    assert.deepEqual(await listed(), before);
    assert.deepEqual(readdirSync(onDisk('served.db-files')), files, 'nothing of an upload is left');

    rmSync(filler);
    for (const [what, write] of writes) {
      const { status, body } = await write();
      assert.ok(status < 300, `${what}: ${status} ${JSON.stringify(body)}`);
    }
    assert.deepEqual(engine.bugs, []);
    assert.equal((await listed()).items.length, before.items.length + 2, 'each create once');
    await engine.store.close();
  });

  it('says so on the pages of the dashboard: 503, nothing changed', async () => {
    const dashboard = await dashboardOn(databaseAt(sqliteFile(onDisk('dashboard.db'))));
    const browser = await dashboard.signedIn();
    fillDisk(filler);
    const send = () => browser.post('/dashboard/keys', {});
    let answer = await send();
    // The log still has space for some pages.
    for (let left = 100; answer.status < 500 && left > 0; left--) answer = await send();
    assert.equal(answer.status, 503);
    assert.equal(answer.headers.get('retry-after'), '5');
    assert.match(answer.text, /can&#39;t use its database/);
    rmSync(filler);
    assert.ok((await send()).status < 400);
    await dashboard.engine.store.close();
  });

  for (const [what, freeBytes] of Object.entries({ nothing: 0, 'its shared memory alone': 36 * 1024 }))
    it(`names the cause where the disk has room for ${what} when it is opened`, async () => {
      const database = onDisk('opened.db');
      await (await openSqliteStore(path(`${freeBytes}.db`))).close();
      const file = new Libsql(path(`${freeBytes}.db`));
      file.exec('pragma wal_checkpoint(truncate)');
      file.close();
      copyFileSync(path(`${freeBytes}.db`), database);
      fillDisk(filler, freeBytes);
      const use = async () => {
        const store = await openSqliteStore(database);
        try {
          await store.write(({ clock }) => clock.setOffsetMs(1));
        } finally {
          await store.close();
        }
      };
      await assert.rejects(use, (error: PartnerError) => {
        assert.equal(error.code, 'DATABASE_UNUSABLE', error.stack);
        assert.match(error.message, /the disk is full/);
        assert.match(error.hint ?? '', /free up disk space/);
        return true;
      });
      rmSync(filler);
      await use();
    });
});

describe('an engine whose data directory is deleted', () => {
  const path = temporaryDirectory();
  let engine: EngineUnderTest;
  beforeEach(async () => {
    mkdirSync(path('data'));
    engine = await engineOn(databaseAt(sqliteFile(path('data/partner.db'))));
  });
  afterEach(async () => {
    await engine.store.close();
    rmSync(path('data'), { recursive: true, force: true });
  });

  // Requests over a socket each arrive in a separate turn of the event loop.
  const status = async (address: string) => {
    await nextTurn();
    return (await engine.fetch(new Request(`http://localhost${address}`))).status;
  };
  const health = async () => [await status('/healthz'), await status('/readyz')];

  it('lives on, is not ready, and answers 503 with Retry-After on every side', async () => {
    assert.deepEqual(await health(), [200, 200]);
    rmSync(path('data'), { recursive: true });
    assert.deepEqual(await health(), [200, 503]);
    for (const [method, body] of [['GET'], ['POST', COMPLETE]] as const) {
      const answer = await engine.call(method, '/jobs', body);
      assert.deepEqual([answer.status, answer.body.error.code], [503, 'UNAVAILABLE']);
      assert.equal(answer.headers.get('retry-after'), '5');
    }
    assert.equal(await status('/candidate/v1/jobs'), 503);
    assert.match(String(engine.bugs[0]), /deleted, moved or replaced/);
  });

  it('does not take another file in its place for its database', async () => {
    renameSync(path('data/partner.db'), path('data/elsewhere.db'));
    writeFileSync(path('data/partner.db'), '');
    assert.equal((await engine.call('POST', '/jobs', COMPLETE)).status, 503);
  });

  it('works again once the file is back', async () => {
    renameSync(path('data/partner.db'), path('data/elsewhere.db'));
    assert.deepEqual(await health(), [200, 503]);
    renameSync(path('data/elsewhere.db'), path('data/partner.db'));
    assert.deepEqual(await health(), [200, 200]);
    assert.equal((await engine.call('POST', '/jobs', COMPLETE)).status, 201);
  });

  it('shows the page of a problem in the dashboard', async () => {
    const dashboard = await dashboardOn(databaseAt(sqliteFile(path('data/dashboard.db'))));
    rmSync(path('data'), { recursive: true });
    const page = await dashboard.browser().get('/dashboard');
    await dashboard.engine.store.close();
    assert.equal(page.status, 503);
    assert.match(page.text, /can&#39;t use its database/);
  });
});
