import assert from 'node:assert/strict';
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileStore, type FileStore, UPLOAD_QUOTAS } from '../../../src/engine/applications/files.ts';
import { openSqliteStore } from '../../../src/engine/store/sqlite.ts';
import type { Store } from '../../../src/engine/store/store.ts';
import { fixture } from '../../fixture.ts';
import { databaseFor, describeOnEach } from '../store/dialects.ts';
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
  let files: FileStore;
  let directory: string | undefined;
  let directories = 0;

  const store = fixture('all tests', () => database().openStore());

  beforeEach(async () => {
    directory = kind === 'sqlite' ? path(`files-${++directories}`) : undefined;
    files = storeOf(store, directory);
    await files.contents.reset();
  });

  const put = (content?: Uint8Array, now?: number) => putIn(files, content, now);
  const stored = async () =>
    directory === undefined
      ? (await (await database().tables()).selectFrom('file_contents').select('digest').execute()).length
      : readdirSync(directory).length;

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
    // One upload in 62 sweeps, so 1,200 uploads practically always include one.
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

  it('are all there when several processes send and sweep them up at the same time', async () => {
    const others = await database().openStore();
    const elsewhere = storeOf(others, directory);
    const late = NOW + 25 * HOUR_MS;
    const kept: string[] = [];
    for (let round = 0; round < 10; round++) {
      const content = another(`shared ${round}`);
      await put(content);
      const sent = await Promise.all([
        put(content, late),
        elsewhere.sweep(late),
        files.sweep(late),
        putIn(elsewhere, content, late),
        putIn(elsewhere, another(round), late),
      ]);
      for (const one of sent) if (typeof one !== 'number') kept.push(one.fileId);
    }
    for (const id of kept) assert.ok(await files.open(id), `the content of ${id} is gone`);
    assert.equal(await stored(), 20);
    await others.close();
  });

  it('come to no byte more than all senders may have, whatever several processes receive at the same time', async () => {
    const others = await database().openStore();
    const { bytes } = UPLOAD_QUOTAS.all;
    await store.write(async (queries) => {
      for (const [id, held] of [
        ['fil_1', bytes / 2],
        ['fil_2', bytes / 2 - 5 * another(0).length],
      ] as const) {
        const row = { id, digest: '0', name: 'cv.pdf', type: 'application/pdf', bytes: held };
        const uploaded_at = new Date(NOW).toISOString();
        await queries.files.insert({ ...row, uploaded_at, claimed_at: null, sender: 'elsewhere' });
      }
    });
    const uploads = Array.from({ length: 20 }, (_, n) =>
      storeOf(n % 2 === 0 ? store : others, directory).put({
        ...{ name: 'cv.pdf', content: another(n % 10), sender: `sender ${n}`, now: NOW },
      }),
    );
    const ends = await Promise.allSettled(uploads);
    const refused = ends.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    assert.deepEqual(refused, Array(15).fill('UNAVAILABLE'));
    await others.close();
  });
});

describe('the directory of the files of candidates', () => {
  const path = temporaryDirectory();
  let directory: string;
  let files: FileStore;
  let directories = 0;

  const store = fixture('all tests', () => openSqliteStore(path('store.db')));
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
    /** Simulates a process that was killed two days ago, before it stored the row of its file. */
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
      assert.ok(error.message.startsWith(`can't use the candidates' files in ${directory}: `));
      return true;
    });
  });
});
