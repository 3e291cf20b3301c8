import assert from 'node:assert/strict';
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileStore, type FileStore, UPLOAD_QUOTAS } from '../../../src/engine/applications/files.ts';
import { openPostgresStore } from '../../../src/engine/store/postgres.ts';
import { openSqliteStore } from '../../../src/engine/store/sqlite.ts';
import type { Store } from '../../../src/engine/store/store.ts';
import { databaseFor, describeOnEach } from '../store/dialects.ts';
import { newDatabase, POSTGRES_URL, type TestDatabase } from '../store/postgres-server.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { PDF } from './documents.ts';

const HOUR_MS = 60 * 60 * 1000;
const NOW = Date.parse('2026-03-02T09:00:00.000Z');

const another = (n: number | string) => Buffer.concat([PDF, Buffer.from(`%${n}`)]);
const reportBug = assert.ifError;
const storeOf = (store: Store, directory?: string) =>
  createFileStore({ store, directory, machine: Date.now, reportBug });
const putIn = (files: FileStore, content: Uint8Array = PDF, now = NOW) =>
  files.put({ name: 'cv.pdf', content, now });

describeOnEach('the files of candidates', (kind) => {
  const path = temporaryDirectory();
  const database = databaseFor('all tests', kind);
  let store: Store;
  let files: FileStore;
  let directories = 0;

  before(async () => {
    store = await database().openStore();
  });
  after(() => store.close());

  beforeEach(async () => {
    files = storeOf(store, kind === 'sqlite' ? path(`files-${++directories}`) : undefined);
    await files.contents.reset();
  });

  const put = (content?: Uint8Array, now?: number) => putIn(files, content, now);
  const stored = async () => (await files.contents.digests()).length;

  it('come back as they were sent', async () => {
    const { fileId, ...told } = await put();
    assert.match(fileId, /^fil_[0-9A-Za-z]{20}$/);
    assert.deepEqual(told, { name: 'cv.pdf', type: 'application/pdf', bytes: PDF.length });
    const opened = await files.open(fileId);
    assert.deepEqual(Buffer.from(opened?.content ?? []), PDF);
    assert.equal(opened?.row.name, 'cv.pdf');
    assert.equal(await files.open('fil_none'), undefined);
  });

  it('are kept once for equal contents', async () => {
    const ids = await Promise.all([put(), put(), put()]);
    assert.equal(new Set(ids.map(({ fileId }) => fileId)).size, 3);
    assert.equal(await stored(), 1);
  });

  it('go after 24 hours where no application has named them', async () => {
    const [forgotten, claimed, young] = [await put(), await put(another(1)), await put(another(2), NOW + 1)];
    await store.write((queries) => queries.files.claim(claimed.fileId, new Date(NOW).toISOString()));
    assert.equal(await files.sweep(NOW + 24 * HOUR_MS), 0);
    assert.equal(await files.sweep(NOW + 24 * HOUR_MS + 1), 1);
    assert.equal(await files.open(forgotten.fileId), undefined);
    assert.equal((await files.open(claimed.fileId))?.row.id, claimed.fileId);
    assert.equal((await files.open(young.fileId))?.row.id, young.fileId);
    assert.equal(await stored(), 2);
  });

  it('keep a content as long as one file of it is left', async () => {
    const [first, second] = [await put(), await put(PDF, NOW + HOUR_MS)];
    assert.equal(await files.sweep(NOW + 24 * HOUR_MS + 1), 0);
    assert.equal(await files.open(first.fileId), undefined);
    assert.deepEqual(Buffer.from((await files.open(second.fileId))?.content ?? []), PDF);
  });

  it('are swept up by the way, as more are sent', async () => {
    await put(another(1));
    // One upload in 62 does it: that none of 1,200 would is less likely than a broken disk.
    for (let sent = 0; (sent < 1_200 && (await stored()) !== 1) || sent === 0; sent++)
      await put(PDF, NOW + 25 * HOUR_MS);
    assert.equal(await stored(), 1);
  });

  it('leave nothing behind where their row cannot be stored', async () => {
    const digest = 'd'.repeat(64);
    const failing = files.contents.keep(digest, PDF, () => Promise.reject(new Error('no row')));
    await assert.rejects(failing, /no row/);
    assert.equal(await stored(), 0);
  });

  it('are all gone after a reset, with everything else', async () => {
    const { fileId } = await put();
    await files.contents.reset();
    assert.equal(await files.open(fileId), undefined);
    assert.equal(await stored(), 0);
  });
});

describe('the files of candidates, sent and swept up by several processes at the same time, are all there', () => {
  const path = temporaryDirectory();

  async function racing([here, there]: readonly [FileStore, FileStore], close: () => Promise<unknown>) {
    const late = NOW + 25 * HOUR_MS;
    const kept: string[] = [];
    for (let round = 0; round < 20; round++) {
      const content = another(`shared ${round}`);
      await putIn(here, content);
      const sent = await Promise.all([
        putIn(here, content, late),
        there.sweep(late),
        here.sweep(late),
        putIn(there, content, late),
        putIn(there, another(round), late),
      ]);
      for (const one of sent) if (typeof one !== 'number') kept.push(one.fileId);
    }
    for (const id of kept) assert.ok(await here.open(id), `the content of ${id} is gone`);
    assert.equal((await here.contents.digests()).length, 40);
    await close();
  }

  it('in a directory beside an SQLite file', async () => {
    const stores = [
      await openSqliteStore(path('store.db')),
      await openSqliteStore(path('store.db')),
    ] as const;
    const at = (store: Store) => storeOf(store, path('files'));
    await racing([at(stores[0]), at(stores[1])], () => Promise.all(stores.map((store) => store.close())));
  });

  it('in a PostgreSQL server', async function () {
    // Concurrency takes a real server: PARTNER_TEST_POSTGRES_URL names one.
    if (POSTGRES_URL === undefined) return this.skip();
    const database: TestDatabase = await newDatabase();
    const stores = [await openPostgresStore(database.url), await openPostgresStore(database.url)] as const;
    await racing([storeOf(stores[0]), storeOf(stores[1])], () =>
      Promise.all(stores.map((store) => store.close())),
    );
    await database.drop();
  });
});

describe('what all senders together may upload, on a PostgreSQL server', () => {
  it('holds to the last byte for uploads of several processes at the same time', async function () {
    if (POSTGRES_URL === undefined) return this.skip();
    const database: TestDatabase = await newDatabase();
    const stores = await Promise.all([1, 2, 3].map(() => openPostgresStore(database.url)));
    const { bytes } = UPLOAD_QUOTAS.all;
    const held = { id: 'fil_held', digest: '0', name: 'cv.pdf', type: 'application/pdf', bytes: bytes / 2 };
    const row = { ...held, uploaded_at: new Date(NOW).toISOString(), claimed_at: null, sender: 'elsewhere' };
    const rest = { ...row, id: 'fil_rest', bytes: bytes / 2 - 5 * another(0).byteLength };
    await stores[0]?.write(async ({ files }) => {
      await files.insert(row);
      await files.insert(rest);
    });
    const uploads = Array.from({ length: 30 }, async (_, n) => {
      const files = storeOf(stores[n % stores.length] as Store);
      return files.put({ name: 'cv.pdf', content: another(n % 10), sender: `sender ${n}`, now: NOW });
    });
    const refused = (await Promise.allSettled(uploads)).flatMap((one) =>
      one.status === 'rejected' ? [one.reason.code] : [],
    );
    assert.deepEqual(refused, Array(25).fill('UNAVAILABLE'));
    await Promise.all(stores.map((store) => store.close()));
    await database.drop();
  });
});

describe('the directory of the files of candidates', () => {
  const path = temporaryDirectory();
  let directory: string;
  let store: Store;
  let files: FileStore;
  let directories = 0;

  before(async () => {
    store = await openSqliteStore(path('store.db'));
  });
  after(() => store.close());
  beforeEach(() => {
    directory = path(`files-${++directories}`);
    files = storeOf(store, directory);
  });

  it('is private to its owner, and has a file for each content under its SHA-256', async () => {
    await putIn(files);
    const [digest, ...others] = readdirSync(directory);
    assert.match(digest ?? '', /^[0-9a-f]{64}$/);
    assert.deepEqual(others, []);
    assert.equal(statSync(directory).mode & 0o777, 0o700);
    assert.equal(statSync(join(directory, digest ?? '')).mode & 0o777, 0o600);
  });

  it('is swept up after a process that was killed, and never of what one is writing now', async () => {
    const { fileId } = await putIn(files);
    /** As if a process had written it two days ago, and been killed before its row was there. */
    const leaveBehind = (name: string) => {
      writeFileSync(join(directory, name), 'x');
      const longAgo = new Date(Date.now() - 48 * HOUR_MS);
      utimesSync(join(directory, name), longAgo, longAgo);
    };
    leaveBehind('f'.repeat(64));
    leaveBehind(`${'e'.repeat(64)}.0123456789ab`);
    writeFileSync(join(directory, `${'d'.repeat(64)}.0123456789ab`), 'being written');
    await files.sweep(NOW);
    assert.equal(readdirSync(directory).length, 2);
    assert.equal((await files.open(fileId))?.row.id, fileId);
  });

  it('that cannot be used is named in the error', async () => {
    writeFileSync(directory, 'a file where the directory should be');
    await assert.rejects(putIn(files), (error: Error & { code: string }) => {
      assert.equal(error.code, 'DATABASE_UNUSABLE');
      assert.ok(error.message.startsWith(`the candidates' files in ${directory} cannot be used: `));
      return true;
    });
  });
});
