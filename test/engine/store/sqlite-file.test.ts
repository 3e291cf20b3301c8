import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import Libsql from 'libsql';
import { PartnerError } from '../../../src/contract/errors.ts';
import { createCompanyRow } from '../../../src/engine/companies/company.ts';
import { openSqliteStore } from '../../../src/engine/store/sqlite.ts';
import { APPLICATION_ID, translateSqliteError } from '../../../src/engine/store/sqlite-file.ts';
import { forked } from '../forked.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const PAGE_BYTES = 4096;

function unusable(path: string, reason: RegExp) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof PartnerError, String(error));
    assert.equal(error.code, 'DATABASE_UNUSABLE');
    assert.ok(error.message.includes(path), error.message);
    assert.match(error.message, reason);
    assert.ok(error.hint, 'it says what to do');
    return true;
  };
}

/** Files of other programs must not be changed. */
async function refusedUntouched(path: string, reason: RegExp): Promise<void> {
  const before = readFileSync(path);
  await assert.rejects(openSqliteStore(path), unusable(path, reason));
  assert.deepEqual(readFileSync(path), before);
}

function makeDatabase(path: string, statements: string): void {
  const file = new Libsql(path);
  file.exec(statements);
  file.close();
}

describe('the database file', () => {
  const path = temporaryDirectory();

  it('is made with its directories, for its owner only', async () => {
    const store = await openSqliteStore(path('new/deep/partner.db'));
    await store.close();
    assert.equal(statSync(path('new/deep')).mode & 0o777, 0o700);
    assert.equal(statSync(path('new/deep/partner.db')).mode & 0o777, 0o600);
  });

  it('may be there already, empty, and keeps what was stored', async () => {
    writeFileSync(path('again.db'), '');
    const company = createCompanyRow('Acme', 0);
    const first = await openSqliteStore(path('again.db'));
    await first.write(({ companies }) => companies.insert(company));
    await first.close();
    const second = await openSqliteStore(path('again.db'));
    assert.deepEqual(await second.read.companies.list(), [company]);
    await second.close();
  });

  it('is refused and left alone where it is no database', async () => {
    writeFileSync(path('letter.db'), 'Dear Sir or Madam, '.repeat(500));
    await refusedUntouched(path('letter.db'), /isn't a database/);
  });

  it("is refused and left alone where it is another program's", async () => {
    makeDatabase(path('foreign.db'), "create table notes (text); insert into notes values ('mine')");
    await refusedUntouched(path('foreign.db'), /another program/);
    makeDatabase(path('foreign-wal.db'), 'pragma journal_mode = wal; create table notes (text)');
    await refusedUntouched(path('foreign-wal.db'), /another program/);
    makeDatabase(path('foreign-id.db'), 'pragma application_id = 7; create table jobs (id)');
    await refusedUntouched(path('foreign-id.db'), /another program/);
  });

  it('is refused and left alone where a newer release made it', async () => {
    makeDatabase(
      path('newer.db'),
      `pragma application_id = ${APPLICATION_ID}; create table later (x); pragma user_version = 999`,
    );
    await refusedUntouched(path('newer.db'), /newer release.*999/);
    await assert.rejects(openSqliteStore(path('newer.db')), ({ hint }: PartnerError) =>
      /upgrade/.test(hint ?? ''),
    );
  });

  for (const [damage, harm] of Object.entries({
    'was cut short': (file: string) => truncateSync(file, PAGE_BYTES),
    'was overwritten in part': (file: string) => {
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.fill(0xa5, PAGE_BYTES));
    },
  }))
    it(`is told to be damaged where it ${damage}, at once or when it is read`, async () => {
      const file = path(`${damage}.db`);
      await (await openSqliteStore(file)).close();
      makeDatabase(file, 'pragma wal_checkpoint(truncate)');
      harm(file);
      const use = async () => {
        const store = await openSqliteStore(file);
        try {
          await store.read.companies.list();
        } finally {
          await store.close();
        }
      };
      await assert.rejects(use, unusable(file, /damaged/));
    });

  it('cannot be a directory, nor lie under a file', async () => {
    mkdirSync(path('directory.db'));
    await assert.rejects(openSqliteStore(path('directory.db')), unusable('directory.db', /directory/));
    writeFileSync(path('file'), '');
    await assert.rejects(openSqliteStore(path('file/partner.db')), unusable('partner.db', /is a file/));
  });
});

describe('a failure of SQLite', () => {
  const path = temporaryDirectory();

  it('is told by its result code, whatever its text says, and is left as it is where it means a query', () => {
    writeFileSync(path('some.db'), '');
    const failure = (rawCode: number) => Object.assign(new Error('database or disk is full'), { rawCode });
    for (const [rawCode, reason] of [
      [5, /another process kept it locked/],
      [7, /not enough memory/],
      [11, /it is damaged/],
      [13, /the disk is full/],
      [26, /it isn't a database/],
      [(2 << 8) | 10, /it is damaged \(cut off\)/],
      [(3 << 8) | 10, /couldn't read or write it \(SQLite code 778\)/],
    ] as const)
      assert.ok(unusable(path('some.db'), reason)(translateSqliteError(failure(rawCode), path('some.db'))));
    const gone = translateSqliteError(failure(14), path('gone.db'));
    assert.ok(unusable(path('gone.db'), /no such file or directory/)(gone));
    const ofQuery = failure(19);
    assert.equal(translateSqliteError(ofQuery, path('some.db')), ofQuery);
  });
});

describe('the database file without the right to write', () => {
  let reader: ChildProcess;
  after(() => {
    reader.disconnect();
    chmodSync(path('locked'), 0o755);
  });
  const path = temporaryDirectory();

  before(async () => {
    chmodSync(path('.'), 0o755);
    await (await openSqliteStore(path('theirs.db'))).close();
    chmodSync(path('theirs.db'), 0o444);
    mkdirSync(path('locked'), { mode: 0o755 });
    await (await openSqliteStore(path('locked/partner.db'))).close();
    chmodSync(path('locked/partner.db'), 0o666);
    chmodSync(path('locked'), 0o555);
    reader = await forked('store/unprivileged-process.ts');
  });

  for (const [what, name] of Object.entries({
    'the file': 'theirs.db',
    'its directory': 'locked/partner.db',
    'the directory in which it would be made': 'locked/new.db',
  }))
    it(`is refused with the reason where ${what} cannot be written`, async () => {
      reader.send(path(name));
      const [error] = (await once(reader, 'message')) as [{ code: string; message: string }];
      assert.equal(error.code, 'DATABASE_UNUSABLE');
      assert.match(error.message, /permission denied/);
    });
});
