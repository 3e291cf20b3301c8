import assert from 'node:assert/strict';
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileStore, type FileStore } from '../../../src/engine/applications/files.ts';
import type { DialectName } from '../../../src/engine/store/connection.ts';
import { openSqliteStore } from '../../../src/engine/store/sqlite.ts';
import { createStore, type Store } from '../../../src/engine/store/store.ts';
import { DIALECTS } from '../store/dialects.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { PDF } from './documents.ts';

const HOUR_MS = 60 * 60 * 1000;
const NOW = Date.parse('2026-03-02T09:00:00.000Z');

for (const dialect of Object.keys(DIALECTS) as DialectName[]) {
  describe(`the files of candidates on ${dialect}`, () => {
    const path = temporaryDirectory();
    let directory: string;
    let store: Store;
    let files: FileStore;
    let directories = 0;
    const bugs: unknown[] = [];

    before(async function () {
      // PostgreSQL takes seconds to start.
      this.timeout(30_000);
      store = createStore(await DIALECTS[dialect](path('store.db')), dialect);
    });
    after(() => store.close());

    beforeEach(async () => {
      await store.clear();
      directory = path(`files-${++directories}`);
      files = createFileStore({ store, directory, machine: Date.now, reportBug: (bug) => bugs.push(bug) });
    });
    afterEach(() => assert.deepEqual(bugs, []));

    const put = (content: Uint8Array = PDF, now = NOW) => files.put({ name: 'cv.pdf', content, now });
    const another = (n: number) => Buffer.concat([PDF, Buffer.from(`%${n}`)]);
    const stored = () => readdirSync(directory);
    /** As if a process had written it two days ago, and been killed before its row was there. */
    const leaveBehind = (name: string) => {
      writeFileSync(join(directory, name), 'x');
      const longAgo = new Date(Date.now() - 48 * HOUR_MS);
      utimesSync(join(directory, name), longAgo, longAgo);
    };

    it('come back as they were sent', async () => {
      const { fileId, ...told } = await put();
      assert.match(fileId, /^fil_[0-9A-Za-z]{20}$/);
      assert.deepEqual(told, { name: 'cv.pdf', type: 'application/pdf', bytes: PDF.length });
      const opened = await files.open(fileId);
      assert.deepEqual(Buffer.from(opened?.content ?? []), PDF);
      assert.equal(opened?.row.name, 'cv.pdf');
      assert.equal(await files.open('fil_none'), undefined);
    });

    it('lie outside of the rows, private to their owner, once for equal contents', async () => {
      const ids = await Promise.all([put(), put(), put()]);
      assert.equal(new Set(ids.map(({ fileId }) => fileId)).size, 3);
      const [digest, ...others] = stored();
      assert.match(digest ?? '', /^[0-9a-f]{64}$/);
      assert.deepEqual(others, []);
      assert.equal(statSync(directory).mode & 0o777, 0o700);
      assert.equal(statSync(join(directory, digest ?? '')).mode & 0o777, 0o600);
    });

    it('go after 24 hours where no application has named them', async () => {
      const [forgotten, claimed, young] = [
        await put(),
        await put(another(1)),
        await put(another(2), NOW + 1),
      ];
      await store.write((queries) => queries.files.claim(claimed.fileId, new Date(NOW).toISOString()));
      assert.equal(await files.sweep(NOW + 24 * HOUR_MS), 0);
      assert.equal(await files.sweep(NOW + 24 * HOUR_MS + 1), 1);
      assert.equal(await files.open(forgotten.fileId), undefined);
      assert.equal((await files.open(claimed.fileId))?.row.id, claimed.fileId);
      assert.equal((await files.open(young.fileId))?.row.id, young.fileId);
      assert.equal(stored().length, 2);
    });

    it('keep a content as long as one file of it is left', async () => {
      const [first, second] = [await put(), await put(PDF, NOW + HOUR_MS)];
      assert.equal(await files.sweep(NOW + 24 * HOUR_MS + 1), 0);
      assert.equal(await files.open(first.fileId), undefined);
      assert.deepEqual(Buffer.from((await files.open(second.fileId))?.content ?? []), PDF);
    });

    it('are swept up after a process that was killed, and never what one is writing now', async () => {
      const { fileId } = await put();
      leaveBehind('f'.repeat(64));
      leaveBehind(`${'e'.repeat(64)}.0123456789ab`);
      writeFileSync(join(directory, `${'d'.repeat(64)}.0123456789ab`), 'being written');
      await files.sweep(NOW);
      assert.equal(stored().length, 2);
      assert.equal((await files.open(fileId))?.row.id, fileId);
    });

    it('are swept up by the way, as more are sent', async () => {
      await put(another(1));
      // One upload in 62 does it: that none of 1,200 would is less likely than a broken disk.
      for (let sent = 0; (sent < 1_200 && stored().length !== 1) || sent === 0; sent++)
        await put(PDF, NOW + 25 * HOUR_MS);
      assert.equal(stored().length, 1);
    });

    it('are all there when several processes send and sweep them up at the same time', async () => {
      // PostgreSQL is in this process, and has one database for each store.
      const others = dialect === 'sqlite' ? await openSqliteStore(path('store.db')) : store;
      const elsewhere = createFileStore({
        store: others,
        directory,
        machine: Date.now,
        reportBug: (bug) => bugs.push(bug),
      });
      const late = NOW + 25 * HOUR_MS;
      for (let round = 0; round < 10; round++) {
        await put();
        const [{ fileId }] = await Promise.all([
          put(PDF, late),
          elsewhere.sweep(late),
          files.sweep(late),
          elsewhere.put({ name: 'cv.pdf', content: another(round), now: late }),
        ]);
        assert.deepEqual(Buffer.from((await elsewhere.open(fileId))?.content ?? []), PDF);
        await store.clear();
      }
      assert.equal(stored().length, 11);
      if (others !== store) await others.close();
    });

    it('that cannot be kept say where', async () => {
      writeFileSync(directory, 'a file where the directory should be');
      await assert.rejects(put(), (error: Error & { code: string }) => {
        assert.equal(error.code, 'DATABASE_UNUSABLE');
        assert.ok(error.message.startsWith(`the candidates' files in ${directory} cannot be used: `));
        return true;
      });
    });
  });
}
