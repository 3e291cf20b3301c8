import { setTimeout as pause } from 'node:timers/promises';
import {
  type DatabaseConnection,
  type Kysely,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import Libsql from 'libsql';
import { type DirectFile, DirectKysely } from './direct.ts';
import { migrate } from './migrate.ts';
import { SCHEMA_VERSION } from './migrations.ts';
import {
  APPLICATION_ID,
  inPlaceCheck,
  isBusy,
  prepareFile,
  systemReason,
  translated,
  unusable,
} from './sqlite-file.ts';
import { createStore, type Store } from './store.ts';
import type { Tables } from './tables.ts';

/** How long a process waits for its turn to write, and for the file while another one opens or closes it. */
const BUSY_TIMEOUT_MS = 60_000;

/** The idempotency keys of most clients are random, so a write may touch any page of their index: memory holds it whole. */
const CACHE_KILOBYTES = 8_000;

/** The longest pause between two attempts to begin a write. */
const LONGEST_PAUSE_MS = 25;

/**
 * Opens the store in the SQLite file at `path`, which is made where it is missing and migrated where it is
 * older. Several processes may have it open at once. Throws DATABASE_UNUSABLE, and leaves the file as it
 * was, where it is no database, somebody else's, damaged, of a newer release, or cannot be written.
 */
export async function openSqliteStore(path: string): Promise<Store> {
  return createStore(await openSqlite(path), 'sqlite');
}

/** The database under the store: every commit is on the disk when it returns. */
export async function openSqlite(path: string): Promise<Kysely<Tables>> {
  prepareFile(path);
  const file = openFile(path);
  try {
    claim(file, path);
    await useWriteAheadLog(file);
    file.exec(`pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -${CACHE_KILOBYTES}`);
    const dialect = new ImmediateDialect(file, path);
    const db = new DirectKysely(dialect, dialect.direct);
    await migrate(db, 'sqlite');
    return db;
  } catch (error) {
    file.close();
    throw translated(error, path);
  }
}

function openFile(path: string): Libsql.Database {
  try {
    return new Libsql(path, { timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    // The driver gives no result code here.
    throw unusable(path, systemReason(path) ?? 'it cannot be opened', { cause: error });
  }
}

/** Refuses a database that is not ours or too new; an empty one becomes ours. Reads before it writes. */
function claim(file: Libsql.Database, path: string): void {
  const header = headerOf(file);
  const isEmpty = header.applicationId === 0 && header.tables === 0;
  if (isEmpty) file.exec(`pragma application_id = ${APPLICATION_ID}`);
  else if (header.applicationId !== APPLICATION_ID) throw unusable(path, 'another program made it');
  else if (header.version > SCHEMA_VERSION) {
    throw unusable(path, `a newer release made it (schema ${header.version}, here ${SCHEMA_VERSION})`, {
      hint: 'upgrade partner, or set PARTNER_DATA_DIR to another directory',
    });
  }
}

interface Header {
  readonly applicationId: number;
  readonly version: number;
  readonly tables: number;
}

function headerOf(file: Libsql.Database): Header {
  const [header] = file
    .prepare(
      `select application_id as applicationId, user_version as version,
        (select count(*) from sqlite_schema) as tables
        from pragma_application_id, pragma_user_version`,
    )
    .all();
  return header as Header;
}

/**
 * The log is a property of the file and set once. While another process is setting it, SQLite answers that
 * the database is locked without waiting for its busy timeout, so the waiting is done here.
 */
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

/** SQLite's dialect with write transactions that take their turn when they begin. */
class ImmediateDialect extends SqliteDialect {
  readonly #driver: ImmediateDriver;
  readonly direct: DirectFile;

  constructor(file: Libsql.Database, path: string) {
    super({ database: cachingStatements(file, path) });
    const statements = new Map<string, FirstRow>();
    const driver = new ImmediateDriver(file, path, () => statements.clear());
    this.#driver = driver;
    this.direct = {
      get isFree() {
        return driver.isFree;
      },
      assertInPlace: inPlaceCheck(path),
      first: (sql, parameters) =>
        translateErrors(() => {
          const statement = statements.get(sql) ?? firstRowOf(file, sql);
          // One that fails is not kept: libsql would report the failure again at its next run.
          statements.delete(sql);
          const row = statement(parameters);
          statements.set(sql, statement);
          return row;
        }, path),
    };
  }

  override createDriver(): SqliteDriver {
    return this.#driver;
  }
}

type FirstRow = (parameters: readonly unknown[]) => object | undefined;

/** A statement prepared once. As rows libsql would give a property more, and as lists they take it half the time. */
function firstRowOf(file: Libsql.Database, sql: string): FirstRow {
  const statement = file.prepare(sql);
  if (!statement.reader) {
    return (parameters) => {
      statement.run([...parameters]);
      return undefined;
    };
  }
  const names = statement
    .raw(true)
    .columns()
    .map(({ name }) => name);
  return (parameters) => {
    const values = statement.get([...parameters]) as unknown[] | undefined;
    return values && Object.fromEntries(names.map((name, index) => [name, values[index]]));
  };
}

/**
 * A transaction that begins deferred, reads, and then wants to write fails at once when another process has
 * written since, whatever the busy timeout. One that begins immediate waits for its turn instead.
 *
 * SQLite would wait inside the call, and timers, signals and reads of this process with it. So the waiting
 * is done here, and the connection is free for reads meanwhile.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #file: Libsql.Database;
  readonly #path: string;
  readonly #forget: () => void;
  #isHeld = false;

  constructor(file: Libsql.Database, path: string, forget: () => void) {
    super({ database: cachingStatements(file, path) });
    this.#file = file;
    this.#path = path;
    this.#forget = forget;
  }

  /** True while nobody has the connection. */
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

  override destroy(): Promise<void> {
    this.#forget();
    return super.destroy();
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

  /** SQLite ends a transaction itself where the disk is full: the error that told so must not be hidden by another. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#file.inTransaction) await super.rollbackTransaction(connection);
  }

  /** Whether the turn to write is ours now; throws where it is not and this was the last attempt. */
  #begins(isLast: boolean): boolean {
    try {
      beginAtOnce(this.#file);
      return true;
    } catch (error) {
      if (isLast || !isBusy(error)) throw translated(error, this.#path);
      return false;
    }
  }
}

/** Begins to write, or throws without waiting where another process is at it. */
function beginAtOnce(file: Libsql.Database): void {
  file.exec('pragma busy_timeout = 0');
  try {
    file.exec('begin immediate');
  } finally {
    file.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

/** The file as kysely uses it, each statement prepared once, errors of the file told as such. */
function cachingStatements(file: Libsql.Database, path: string): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    prepare(sql) {
      let statement = statements.get(sql);
      if (statement === undefined) {
        statement = translateErrors(() => reporting(file.prepare(sql), path), path);
        statements.set(sql, statement);
      }
      return statement;
    },
    close() {
      // SQLite keeps the file open as long as there is a statement on it.
      statements.clear();
      file.close();
    },
  };
}

function reporting(statement: Libsql.Statement<unknown[]>, path: string): SqliteStatement {
  return {
    reader: statement.reader,
    all: (parameters) => translateErrors(() => statement.all([...parameters]), path),
    run: (parameters) => translateErrors(() => statement.run([...parameters]), path),
    iterate: (parameters) => statement.iterate(...parameters),
  };
}

function translateErrors<T>(work: () => T, path: string): T {
  try {
    return work();
  } catch (error) {
    throw translated(error, path);
  }
}
