import assert from 'node:assert/strict';
import { createWriteStream, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import { contentsInDatabase, contentsInDirectory } from '../../../src/engine/applications/file-contents.ts';
import { type BackupOptions, writeBackup } from '../../../src/engine/backup/backup.ts';
import { checkBackup, type RestoreOptions, restore } from '../../../src/engine/backup/restore.ts';
import { createCompanyRow } from '../../../src/engine/companies/company.ts';
import { databaseName } from '../../../src/engine/store/address.ts';
import columns from '../../../src/engine/store/columns.json' with { type: 'json' };
import { COPIED_TABLES, NOT_COPIED } from '../../../src/engine/store/copy.ts';
import { type Snapshot, takeSnapshot, withSnapshot } from '../../../src/engine/store/open.ts';
import type { Store } from '../../../src/engine/store/store.ts';
import type { Tables } from '../../../src/engine/store/tables.ts';
import { replaceFileInParts } from '../../../src/files/own-file.ts';
import { itAtLength } from '../../times.ts';
import { candidateOf } from '../applications/candidate.ts';
import { PDF } from '../applications/documents.ts';
import { type EngineUnderTest, engineOn } from '../engine-under-test.ts';
import { COMPLETE } from '../listing.ts';
import { copyJob } from '../store/copied-jobs.ts';
import { type DatabaseKind, openDatabase, type TestDatabase } from '../store/dialects.ts';
import { POSTGRES_URL } from '../store/postgres-server.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import oddRows from './odd-rows.json' with { type: 'json' };
import wrongLines from './wrong-lines.json' with { type: 'json' };

const MADE_AT = Date.parse('2026-03-03T00:00:00.000Z');
const COMPANY = createCompanyRow('Meanwhile', MADE_AT);
const UNWATCHED = { signal: new AbortController().signal, onProgress: () => {} };

interface Place extends TestDatabase {
  readonly kind: DatabaseKind;
  readonly store: Store;
  readonly db: Kysely<Tables>;
}

const places: Place[] = [];

async function newPlace(kind: DatabaseKind = 'sqlite'): Promise<Place> {
  const database = await openDatabase(kind);
  const [store, db] = [await database.openStore(), await database.tables()];
  places.push({ ...database, kind, store, db });
  return places.at(-1) as Place;
}

interface Backup extends Partial<BackupOptions> {
  readonly meanwhile?: () => Promise<unknown>;
}

function backUpInto(file: string, { kind, address, db }: Place, { meanwhile, ...options }: Backup = {}) {
  const write = (bytes: AsyncIterable<Uint8Array>) => pipeline(bytes, createWriteStream(file));
  const work = async (snapshot: Snapshot) => {
    await meanwhile?.();
    return writeBackup(snapshot, { ...UNWATCHED, write, release: '0.1.0', now: MADE_AT, ...options });
  };
  return kind === 'pglite' ? takeSnapshot(db, address, work) : withSnapshot(address, work);
}

async function restoreFrom(path: string, { address, store }: Place, options: Partial<RestoreOptions> = {}) {
  const backup = await checkBackup(path, UNWATCHED.signal);
  const contents =
    address.dialect === 'sqlite'
      ? contentsInDirectory(store, `${address.path}-files`, Date.now)
      : contentsInDatabase(store);
  return restore(store, contents, backup, { ...UNWATCHED, replaces: false, ...options });
}

const linesIn = (file: string) => gunzipSync(readFileSync(file)).toString().split('\n').slice(0, -1);
const packed = (some: readonly string[]) => gzipSync(some.map((line) => `${line}\n`).join(''));
/** Sorted, because rows of a PostgreSQL table have no order. */
const contentOf = (file: string) =>
  linesIn(file)
    .map((line) => JSON.parse(line))
    .flatMap(({ table, rows, ...rest }) =>
      table === undefined ? [rest] : rows.map((row: object) => ({ table, ...row })),
    )
    .map((entry) => JSON.stringify(entry))
    .sort();

describe('a backup', () => {
  const path = temporaryDirectory();
  let source: Place;
  let engine: EngineUnderTest;
  let postgres: Place;

  before(async () => {
    source = await newPlace();
    engine = await engineOn(source);
    const candidate = candidateOf(engine);
    const title = 'Weld\u2028er "öß" \\ 😀\t';
    const { id } = await candidate.publish({ title, budgets: [{ window: 'DAILY', budgetCents: 2000 }] });
    for (let count = 0; count < 3; count++) await candidate.apply(id);
    await candidate.upload(Buffer.concat([PDF, Buffer.from('%other')]));
    for (let count = 0; count < 110; count++)
      await engine.call('POST', '/jobs', COMPLETE, { 'idempotency-key': `k${count}` });
    await engine.operator.terms.issue({ version: '2026-03', text: 'Terms' });
    await engine.operator.keys.create(engine.companyId, 'ci');
    await source.store.write(({ clock }) => clock.setOffsetMs(-5));
    await backUpInto(path('first.gz'), source);
    postgres = await newPlace('pglite');
  });
  after(async () => {
    await engine.store.close();
    for (const { store, drop } of places) {
      await store.close();
      await drop();
    }
  });

  const rowsIn = ({ db }: Place) =>
    Promise.all(
      COPIED_TABLES.map(async (table) => {
        const query = sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`;
        return Number((await query.execute(db)).rows[0]?.rows);
      }),
    );

  it('has every table of the database, or says which it leaves out', async () => {
    const { rows } = await sql<{ name: string }>`select name from sqlite_schema where type = 'table'
      and name not like 'sqlite_%'`.execute(source.db);
    assert.deepEqual(rows.map(({ name }) => name).sort(), [...COPIED_TABLES, ...NOT_COPIED].sort());
  });

  it('goes from SQLite to PostgreSQL and back, is the same row for row, and gives no id a second time', async () => {
    const moved = await restoreFrom(path('first.gz'), postgres);
    assert.equal(moved.rows.jobs, 111);
    assert.equal(moved.files, 2);
    await backUpInto(path('second.gz'), postgres);
    const back = await newPlace();
    await restoreFrom(path('second.gz'), back);
    await backUpInto(path('third.gz'), back);
    const [first, second, third] = ['first.gz', 'second.gz', 'third.gz'].map((name) => contentOf(path(name)));
    assert.deepEqual(second, first);
    assert.deepEqual(third, first);
    // New IDs continue after the restored ones and repeat none that the database has assigned.
    for (const place of [back, postgres]) {
      let last = 1;
      for (const version of ['next', 'the one after']) {
        await place.store.write(({ terms }) => terms.issue({ version, text: '', issued_at: '' }));
        const issued = place.db.selectFrom('terms').select('id').where('version', '=', version);
        const id = Number((await issued.executeTakeFirst())?.id);
        assert.ok(id > last);
        last = id;
        await restoreFrom(path('first.gz'), place, { replaces: true });
      }
    }
  });

  it('is one state of the database, whatever is written while it is taken', async () => {
    const apply = () =>
      engine.operator.applications.applyMany(1, { count: 20, qualifiedShare: 1, seed: 1 }, UNWATCHED);
    const { rows } = await backUpInto(path('busy.gz'), source, { meanwhile: apply });
    assert.equal(rows.applications, 3);
    const copy = await newPlace();
    await restoreFrom(path('busy.gz'), copy);
    const { rows: tallies } = await sql`select pending from job_tallies`.execute(copy.db);
    assert.deepEqual(tallies, [{ pending: 3 }]);
  });

  it('is taken whole or not at all: what is cut off, damaged, no backup or interrupted changes nothing, files included', async () => {
    const whole = readFileSync(path('first.gz'));
    const flipped = Buffer.from(whole);
    flipped.writeUInt8(flipped.readUInt8(whole.length >> 1) ^ 1, whole.length >> 1);
    const head = linesIn(path('first.gz')).slice(0, 1);
    const wrong: Record<string, [Buffer, RegExp]> = {
      'cut in the middle': [whole.subarray(0, whole.length >> 1), /it is cut off/],
      'cut at its end': [whole.subarray(0, -1), /it is cut off/],
      'a flipped bit': [flipped, /damaged/],
      'of another kind': [packed(['{"format":"tar"}']), /isn't an engine backup/],
      'no gzip': [PDF, /isn't a gzip file/],
      empty: [Buffer.alloc(0), /cut off|isn't an engine backup/],
      'without its last line break': [gzipSync(linesIn(path('first.gz')).join('\n')), /it is cut off/],
      'of no schema': [packed(['{"format":"partner-engine-backup"}']), /isn't an engine backup/],
      'of deep JSON': [
        packed([...head, `{"table":"jobs","rows":${'['.repeat(10_000)}${']'.repeat(10_000)}}`]),
        /line 2, table jobs, row 1: must be an object, not an array/,
      ],
      'of a million rows in a line': [
        packed([...head, `{"table":"jobs","rows":[${'{},'.repeat(1_000_000)}{}]}`]),
        /isn't an engine backup \(line 2\)/,
      ],
      'of a long line': [packed([...head, '['.repeat(17 * 1024 * 1024)]), /line 2 is too long/],
      ...Object.fromEntries(
        wrongLines.map(([what, line = '', reason = '']) => [
          what,
          [packed([...head, line]), new RegExp(reason)],
        ]),
      ),
    };
    const place = await newPlace();
    for (const [what, [content, reason]] of Object.entries(wrong)) {
      writeFileSync(path('wrong.gz'), content);
      const refused = restoreFrom(path('wrong.gz'), place, { replaces: true });
      await assert.rejects(refused, { code: 'FILE_INVALID', message: reason }, what);
    }
    const stop = new AbortController();
    const onProgress = (text: string) => void (text.startsWith('Restoring files') && stop.abort());
    const interrupted = restoreFrom(path('first.gz'), place, { signal: stop.signal, onProgress });
    await assert.rejects(interrupted, { code: 'INTERRUPTED' });
    assert.ok((await rowsIn(place)).every((rows) => rows === 0));
    const directory = `${databaseName(place.address)}-files`;
    assert.deepEqual(existsSync(directory) ? readdirSync(directory) : [], []);
  });

  it('is refused for any row that its table could not have, by line, table and row', async () => {
    const tables = new Set();
    const few = linesIn(path('first.gz')).flatMap((line) => {
      const { table, rows, ...rest } = JSON.parse(line);
      if (tables.has(table)) return [];
      tables.add(table);
      return [JSON.stringify({ table, rows: rows?.slice(0, 5), ...rest })];
    });
    for (const [table, change, reason] of oddRows as [string, object | null, string][]) {
      const at = few.findIndex((line) => line.startsWith(`{"table":"${table}"`));
      const { rows } = JSON.parse(few[at] ?? '');
      const isRow = change !== null && !Array.isArray(change);
      const odd = [...rows, isRow ? { ...rows[0], ...change } : change];
      writeFileSync(path('odd.gz'), packed(few.with(at, JSON.stringify({ table, rows: odd }))));
      const refused = checkBackup(path('odd.gz'), UNWATCHED.signal);
      const message = new RegExp(`line ${at + 1}, table ${table}, row ${odd.length}: ${reason}`);
      await assert.rejects(refused, { code: 'FILE_INVALID', message }, `${table} ${JSON.stringify(change)}`);
    }
  });

  it('is checked for every column, key and reference that the database has', async () => {
    type Column = { table: string; name: string; type: string; required: number };
    const found = await sql<Column>`select t.name as "table", c.name, c."notnull" + c.pk as required
      from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table'`.execute(source.db);
    const keys = await sql<{ table: string; names: string }>`select t.name as "table",
        (select group_concat(name, ' ') from pragma_index_info(i.name)) as names
      from sqlite_schema t, pragma_index_list(t.name) i where t.type = 'table' and i."unique" = 1
      union select t.name, c.name from sqlite_schema t, pragma_table_info(t.name) c
      where c.pk = 1 and not exists (select 1 from pragma_table_info(t.name) where pk = 2)`.execute(
      source.db,
    );
    const references = await sql<{ table: string; from: string; to: string }>`
      select t.name as "table", f."from", f."table" as "to"
      from sqlite_schema t, pragma_foreign_key_list(t.name) f where t.type = 'table'`.execute(source.db);
    assert.deepEqual(Object.keys(columns).sort(), [...COPIED_TABLES].sort());
    for (const [table, rules] of Object.entries(columns)) {
      const ofTable = <Row extends { table: string }>({ rows }: { rows: Row[] }) =>
        rows.filter((row) => row.table === table);
      const required = ofTable(found).map(({ name, required }) => [name, required > 0]);
      const checked = Object.entries(rules.columns).map(([name, kind]) => [name, !kind.endsWith('?')]);
      assert.deepEqual(checked.sort(), required.sort(), table);
      const actual = rules.unique.toSorted();
      assert.deepEqual(
        actual,
        ofTable(keys)
          .map(({ names }) => names)
          .sort(),
        table,
      );
      const parents = ofTable(references).map(({ from, to }) => [from, to]);
      assert.deepEqual(Object.entries(rules.parents).sort(), parents.sort(), table);
    }
  });

  itAtLength('of the largest jobs and files fits into lines that a restore takes', async () => {
    const place = await newPlace();
    const large = await engineOn(place);
    const options = Array.from({ length: 20 }, (_, at) => `${at}${'"'.repeat(1_900)}`);
    const question = { prompt: 'Which?', answerFormat: 'SINGLE_SELECT', options };
    const questions = Array.from({ length: 13 }, (_, order) => ({ ...question, order }));
    const { body } = await large.call('POST', '/jobs', { ...COMPLETE, questions });
    await copyJob(place.db, body.id, 4);
    await candidateOf(large).upload(Buffer.concat([PDF], 5 * 1024 * 1024));
    await backUpInto(path('large.gz'), place);
    assert.ok(Math.max(...linesIn(path('large.gz')).map((line) => line.length)) < 8 * 1024 * 1024);
    const { rows, files } = await restoreFrom(path('large.gz'), await newPlace());
    assert.deepEqual([rows.jobs, files], [5, 1]);
  });

  it('that the database refuses is not blamed on the files of candidates', async () => {
    const { address, store } = await newPlace();
    const contents = contentsInDirectory(store, databaseName(address), Date.now);
    const refused = contents.reset({
      before: async (db) => void (await sql`insert into job_tallies values (1, 0, 0, 0, null)`.execute(db)),
      after: async () => {},
    });
    await assert.rejects(refused, { message: /NOT NULL/, code: /SQLITE/ });
  });

  it('is one state of a PostgreSQL server as well, and takes its place', async function () {
    if (POSTGRES_URL === undefined) return this.skip();
    const server = await newPlace('server');
    await restoreFrom(path('first.gz'), server);
    await restoreFrom(path('first.gz'), server, { replaces: true });
    const insert = () => server.store.write(({ companies }) => companies.insert(COMPANY));
    await backUpInto(path('server.gz'), server, { meanwhile: insert });
    assert.deepEqual(contentOf(path('server.gz')), contentOf(path('first.gz')));
    const counts = (store: Store) => store.read.jobs.countByStatus();
    assert.deepEqual(await counts(server.store), await counts(engine.store));
  });

  it('to a new file leaves alone what another program has written there meanwhile', async () => {
    const parts = async function* () {
      yield Buffer.from('backup');
      writeFileSync(path('taken.gz'), 'before');
    };
    await assert.rejects(replaceFileInParts(path('taken.gz'), parts(), true), { code: 'EEXIST' });
    assert.equal(readFileSync(path('taken.gz'), 'utf8'), 'before');
    await replaceFileInParts(path('free.gz'), (async function* () {})(), true);
    const expected = ['free.gz', 'taken.gz'];
    assert.deepEqual(
      readdirSync(path('.'))
        .filter((name) => /taken|free/.test(name))
        .sort(),
      expected,
    );
  });

  it('that is interrupted leaves nothing, and what was there before as it was', async () => {
    const file = path('interrupted.gz');
    for (const before of [[], ['interrupted.gz']]) {
      for (const name of before) writeFileSync(path(name), 'before');
      const stop = new AbortController();
      const write = (bytes: AsyncIterable<Uint8Array>) => replaceFileInParts(file, bytes);
      const interrupted = backUpInto(file, source, {
        write,
        signal: stop.signal,
        onProgress: () => stop.abort(),
      });
      await assert.rejects(interrupted, { code: 'INTERRUPTED' });
      const left = readdirSync(path('.')).filter((name) => name.includes('interrupted'));
      assert.deepEqual(left, before);
    }
    assert.equal(readFileSync(file, 'utf8'), 'before');
  });

  it('of schema 5 is restored, without names and uses of keys; of an older one it is refused, and says what to do', async () => {
    for (const version of [5, 2]) {
      const old = linesIn(path('first.gz'))
        .join('\n')
        .replace(/"schemaVersion":\d+/, `"schemaVersion":${version}`);
      const text = `${old}\n`.replaceAll(/,"name":[^,]*,"last_used_at":[^}]*/g, '');
      writeFileSync(path(`schema-${version}.gz`), gzipSync(text));
    }
    for (const place of [await newPlace(), await newPlace('pglite')]) {
      await restoreFrom(path('schema-5.gz'), place);
      const keys = await place.store.read.keys.list();
      const actual = keys.map(({ name, last_used_at: at }) => name ?? at);
      assert.deepEqual(actual, [null, null]);
    }
    const refused = restoreFrom(path('schema-2.gz'), postgres);
    await assert.rejects(refused, {
      code: 'FILE_INVALID',
      hint: /restore it with the release that created it/,
    });
  });

  it('goes into a database in use only where that is asked for, and then nothing of before is left', async () => {
    for (const place of [await newPlace(), postgres]) {
      await place.store.write(({ companies }) => companies.insert(COMPANY));
      const before = await rowsIn(place);
      await assert.rejects(restoreFrom(path('first.gz'), place), { code: 'USAGE', message: /isn't empty/ });
      assert.deepEqual(await rowsIn(place), before);
      await restoreFrom(path('first.gz'), place, { replaces: true });
      assert.equal(await place.store.read.companies.find(COMPANY.id), undefined);
    }
  });

  it('counts the files whose content is lost, and has all else', async () => {
    const place = await newPlace();
    await restoreFrom(path('first.gz'), place);
    const directory = `${databaseName(place.address)}-files`;
    const [some = ''] = readdirSync(directory);
    writeFileSync(join(directory, some), 'a disk makes mistakes');
    const summary = await backUpInto(path('lossy.gz'), place);
    assert.equal(summary.missingFiles, 1);
    assert.equal(summary.files, 1);
  });
});
