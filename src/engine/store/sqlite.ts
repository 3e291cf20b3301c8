import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type DatabaseConnection,
  Kysely,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import Libsql from 'libsql';
import { isBusy } from '../../files/file-lock.ts';
import { refuseDatabaseLinks } from '../../files/own-file.ts';
import type { Access } from './address.ts';
import { type DirectFile, DirectKysely } from './connection.ts';
import { createOutdatedError, migrate, newerRelease, SCHEMA_VERSION } from './migrations.ts';
import {
  APPLICATION_ID,
  inPlaceCheck,
  isThere,
  prepareFile,
  systemReason,
  translateSqliteError,
  unusable,
} from './sqlite-file.ts';
import { createStore, type Store } from './store.ts';
import type { Tables } from './tables.ts';

const BUSY_TIMEOUT_MS = 60_000;
/** Large enough for the whole index of idempotency keys, because a random key can touch any page of it. */
const CACHE_KILOBYTES = 8_000;
const LONGEST_PAUSE_MS = 25;

/** Throws DATABASE_UNUSABLE, or DATABASE_OUTDATED if `access` doesn't allow a migration. */
export async function openSqliteStore(path: string, access: Access = 'migrate'): Promise<Store> {
  const mayChange = access === 'migrate' || access === 'write';
  const db = mayChange || isThere(path) ? await openSqlite(path, mayChange) : undefined;
  if (db !== undefined) return createStore(db, 'sqlite');
  if (access !== 'read') throw createOutdatedError(path, 0);
  const memory = new Libsql(':memory:');
  if (existsSync(WHOLE_SCHEMA)) memory.exec(readFileSync(WHOLE_SCHEMA, 'utf8'));
  const empty = createKysely(memory, ':memory:', () => {});
  await migrate(empty, 'sqlite');
  return { ...createStore(empty, 'sqlite'), isTemporary: true };
}

/** SQL file that the build generates, because running the migrations takes four times as long. */
const WHOLE_SCHEMA = new URL('./migrations/whole.sqlite.sql', import.meta.url);

export async function openSqlite(path: string): Promise<Kysely<Tables>>;
export async function openSqlite(path: string, mayChange: boolean): Promise<Kysely<Tables> | undefined>;
export async function openSqlite(path: string, mayChange = true): Promise<Kysely<Tables> | undefined> {
  prepareFile(path);
  const file = openFile(path);
  try {
    const found = readSchemaVersion(file, path);
    if (!mayChange && found !== SCHEMA_VERSION) {
      if (found > 0) throw createOutdatedError(path, found);
      file.close();
      return undefined;
    }
    if (found === 0) file.exec(`pragma application_id = ${APPLICATION_ID}`);
    await useWriteAheadLog(file);
    file.exec(`pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -${CACHE_KILOBYTES}`);
    const db = createKysely(file, path, inPlaceCheck(path));
    if (found !== SCHEMA_VERSION) await migrate(db, 'sqlite');
    return db;
  } catch (error) {
    file.close();
    throw translateSqliteError(error, path);
  }
}

export function connectSqlite(path: string): Kysely<Tables> {
  refuseDatabaseLinks(path);
  const hint = 'check the path, or create a new database with `partner engine migrate`';
  if (!isThere(path)) throw unusable(path, 'no such file', { hint });
  const file = openFile(path);
  try {
    file.exec('pragma query_only = on');
    readSchemaVersion(file, path);
    return new Kysely({ dialect: new SqliteDialect({ database: createStatementCache(file, path) }) });
  } catch (error) {
    file.close();
    throw translateSqliteError(error, path);
  }
}

function openFile(path: string): Libsql.Database {
  try {
    return new Libsql(path, { timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    throw unusable(path, systemReason(path) ?? "it can't be opened", { cause: error });
  }
}

function readSchemaVersion(file: Libsql.Database, path: string): number {
  const header = file
    .prepare(
      `select application_id as applicationId, user_version as version,
        (select count(*) from sqlite_schema) as tables
        from pragma_application_id, pragma_user_version`,
    )
    .get() as { applicationId: number; version: number; tables: number };
  if (header.applicationId === 0 && header.tables === 0) return 0;
  if (header.applicationId !== APPLICATION_ID) throw unusable(path, 'it was created by another program');
  if (header.version > SCHEMA_VERSION) {
    throw unusable(path, newerRelease(header.version), {
      hint: 'upgrade partner, or set PARTNER_DATA_DIR to another directory',
    });
  }
  return header.version;
}

/** Retries, because SQLite ignores its busy timeout while another process sets up the write-ahead log. */
async function useWriteAheadLog(file: Libsql.Database): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      file.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (attempt === 500 || !isBusy(error)) throw error;
      await pause(10);
    }
  }
}

function createKysely(file: Libsql.Database, path: string, assertInPlace: () => void): DirectKysely {
  const statements = createStatementCache(file, path);
  const driver = new ImmediateDriver(file, path, statements);
  const dialect = new SqliteDialect({ database: statements });
  dialect.createDriver = () => driver;
  const direct: DirectFile = {
    get isFree() {
      return driver.isFree;
    },
    assertInPlace,
    close: () => statements.close(),
    version: () => statements.prepare('pragma data_version').value(),
    first: (sql, parameters) => statements.prepare(sql).first(parameters),
  };
  return new DirectKysely(dialect, direct);
}

interface CachedStatement extends SqliteStatement {
  first(parameters: readonly unknown[]): object | undefined;
  value(): unknown;
}

/** SQLite reports the inserted ID anyway, and `returning` adds 40% to the insert time. */
const RETURNING_ID = / returning "id"$/;

function createStatementCache(file: Libsql.Database, path: string) {
  const cache = new Map<string, CachedStatement>();
  const runGuarded = <T>(sql: string, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      // Otherwise, libsql would throw the same error again on the statement's next run.
      cache.delete(sql);
      throw translateSqliteError(error, path);
    }
  };
  const prepareStatement = (sql: string): CachedStatement => {
    const statement = runGuarded(sql, () => file.prepare(sql));
    const { reader } = statement;
    const columns = reader ? statement.raw(true).columns() : [];
    const names = columns.map(({ name }) => name);
    // libsql's own row objects take twice as long and have an extra property.
    const toRow = (values: unknown): Record<string, unknown> => {
      const row: Record<string, unknown> = {};
      for (let at = 0; at < names.length; at++) row[names[at] as string] = (values as unknown[])[at];
      return row;
    };
    let forAll: Libsql.Statement | undefined;
    const all = (parameters: readonly unknown[]) =>
      runGuarded(sql, () => {
        // Uses a separate statement, because after `all`, libsql's `get` ignores its parameters and returns an old row.
        forAll ??= reader ? file.prepare(sql).raw(true) : statement;
        return forAll.all([...parameters]).map(toRow);
      });
    const run = (parameters: readonly unknown[]) => runGuarded(sql, () => statement.run([...parameters]));
    const inserting = RETURNING_ID.test(sql) ? file.prepare(sql.replace(RETURNING_ID, '')) : undefined;
    return {
      reader,
      all,
      run,
      value: () => runGuarded(sql, () => (statement.get() as unknown[])[0]),
      iterate: (parameters) => all(parameters)[Symbol.iterator](),
      first(parameters) {
        if (!reader) return void run(parameters);
        if (inserting !== undefined) {
          const { changes, lastInsertRowid } = runGuarded(sql, () => inserting.run([...parameters]));
          return changes === 0 ? undefined : { id: lastInsertRowid };
        }
        const values = runGuarded(sql, () => statement.get([...parameters]));
        return values === undefined ? undefined : toRow(values);
      },
    };
  };
  return {
    prepare(sql: string): CachedStatement {
      const statement = cache.get(sql) ?? prepareStatement(sql);
      cache.set(sql, statement);
      return statement;
    },
    close() {
      // SQLite keeps the file open as long as a statement on it exists.
      cache.clear();
      if (file.open) file.close();
    },
  };
}

/**
 * Uses `begin immediate`. A deferred transaction fails at once if another process writes between its read and its
 * write. Waits outside SQLite, because SQLite's own wait would block timers, signals and reads of this process.
 */
class ImmediateDriver extends SqliteDriver {
  #isHeld = false;

  constructor(
    private readonly file: Libsql.Database,
    private readonly path: string,
    database: SqliteDatabase,
  ) {
    super({ database });
  }

  get isFree(): boolean {
    return !this.#isHeld;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    this.#isHeld = true;
    return connection;
  }

  override releaseConnection(): Promise<void> {
    this.#isHeld = false;
    return super.releaseConnection();
  }

  override async beginTransaction(): Promise<void> {
    let waitedMs = 0;
    for (let attempt = 1; !this.#begins(waitedMs >= BUSY_TIMEOUT_MS); attempt++) {
      const pauseMs = Math.min(attempt, LONGEST_PAUSE_MS);
      await this.releaseConnection();
      await pause(pauseMs);
      await this.acquireConnection();
      waitedMs += pauseMs;
    }
  }

  /** If the disk is full, SQLite ends the transaction itself, and a failed rollback would hide that error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.file.inTransaction) await super.rollbackTransaction(connection);
  }

  #begins(isLast: boolean): boolean {
    try {
      this.file.exec('pragma busy_timeout = 0');
      try {
        this.file.exec('begin immediate');
      } finally {
        this.file.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
      }
      return true;
    } catch (error) {
      if (isLast || !isBusy(error)) throw translateSqliteError(error, this.path);
      return false;
    }
  }
}
