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
import { refuseDatabaseLinks } from '../../files/own-file.ts';
import type { Access } from './address.ts';
import { type DirectFile, DirectKysely } from './connection.ts';
import { migrate, newerRelease, outdated, SCHEMA_VERSION } from './migrations.ts';
import {
  APPLICATION_ID,
  inPlaceCheck,
  isBusy,
  isThere,
  prepareFile,
  systemReason,
  translated,
  unusable,
} from './sqlite-file.ts';
import { createStore, type Store } from './store.ts';
import type { Tables } from './tables.ts';

/** How long a process waits for its turn to write, and for the file while another one opens or closes it. */
const BUSY_TIMEOUT_MS = 60_000;
/** Idempotency keys are random, so a write may touch any page of their index: memory holds it whole. */
const CACHE_KILOBYTES = 8_000;
const LONGEST_PAUSE_MS = 25;

/** Throws DATABASE_UNUSABLE for a file that is damaged, isn't ours or is of a newer release, and DATABASE_OUTDATED. */
export async function openSqliteStore(path: string, access: Access = 'migrate'): Promise<Store> {
  const mayChange = access === 'migrate' || access === 'write';
  const db = mayChange || isThere(path) ? await openSqlite(path, mayChange) : undefined;
  if (db !== undefined) return createStore(db, 'sqlite');
  if (access !== 'read') throw outdated(path, 0);
  const memory = new Libsql(':memory:');
  if (existsSync(WHOLE_SCHEMA)) memory.exec(readFileSync(WHOLE_SCHEMA, 'utf8'));
  const empty = kyselyOn(memory, ':memory:', () => {});
  await migrate(empty, 'sqlite');
  return { ...createStore(empty, 'sqlite'), isTemporary: true };
}

/** Written by the build. Running the migrations takes four times as long. */
const WHOLE_SCHEMA = new URL('./migrations/whole.sqlite.sql', import.meta.url);

/** Undefined for an empty file that must not be changed. */
export async function openSqlite(path: string): Promise<Kysely<Tables>>;
export async function openSqlite(path: string, mayChange: boolean): Promise<Kysely<Tables> | undefined>;
export async function openSqlite(path: string, mayChange = true): Promise<Kysely<Tables> | undefined> {
  prepareFile(path);
  const file = openFile(path);
  try {
    const found = schemaIn(file, path);
    if (!mayChange && found !== SCHEMA_VERSION) {
      if (found > 0) throw outdated(path, found);
      file.close();
      return undefined;
    }
    if (found === 0) file.exec(`pragma application_id = ${APPLICATION_ID}`);
    await useWriteAheadLog(file);
    file.exec(`pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -${CACHE_KILOBYTES}`);
    const db = kyselyOn(file, path, inPlaceCheck(path));
    if (found !== SCHEMA_VERSION) await migrate(db, 'sqlite');
    return db;
  } catch (error) {
    file.close();
    throw translated(error, path);
  }
}

/** A connection of its own for reading a database that is there. Throws as `openSqliteStore`. */
export function connectSqlite(path: string): Kysely<Tables> {
  refuseDatabaseLinks(path);
  const hint = 'check the path; `partner engine migrate` makes a new database';
  if (!isThere(path)) throw unusable(path, 'there is no such file', { hint });
  const file = openFile(path);
  try {
    file.exec('pragma query_only = on');
    schemaIn(file, path);
    return new Kysely({ dialect: new SqliteDialect({ database: statementCache(file, path) }) });
  } catch (error) {
    file.close();
    throw translated(error, path);
  }
}

function openFile(path: string): Libsql.Database {
  try {
    return new Libsql(path, { timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    throw unusable(path, systemReason(path) ?? 'it cannot be opened', { cause: error });
  }
}

/** The version of the schema, 0 for an empty file. Refuses a database that is not ours or too new. */
function schemaIn(file: Libsql.Database, path: string): number {
  const header = file
    .prepare(
      `select application_id as applicationId, user_version as version,
        (select count(*) from sqlite_schema) as tables
        from pragma_application_id, pragma_user_version`,
    )
    .get() as { applicationId: number; version: number; tables: number };
  if (header.applicationId === 0 && header.tables === 0) return 0;
  if (header.applicationId !== APPLICATION_ID) throw unusable(path, 'another program made it');
  if (header.version > SCHEMA_VERSION) {
    throw unusable(path, newerRelease(header.version), {
      hint: 'upgrade partner, or set PARTNER_DATA_DIR to another directory',
    });
  }
  return header.version;
}

/** While another process sets the log up, SQLite fails at once, whatever its busy timeout: so this waits itself. */
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

function kyselyOn(file: Libsql.Database, path: string, assertInPlace: () => void): DirectKysely {
  const statements = statementCache(file, path);
  const driver = new ImmediateDriver(file, path, statements);
  const dialect = new SqliteDialect({ database: statements });
  dialect.createDriver = () => driver;
  const direct: DirectFile = {
    get isFree() {
      return driver.isFree;
    },
    assertInPlace,
    version: () => statements.prepare('pragma data_version').value(),
    first: (sql, parameters) => statements.prepare(sql).first(parameters),
  };
  return new DirectKysely(dialect, direct);
}

interface CachedStatement extends SqliteStatement {
  first(parameters: readonly unknown[]): object | undefined;
  /** The first column of the first row, without parameters. */
  value(): unknown;
}

function statementCache(file: Libsql.Database, path: string) {
  const cache = new Map<string, CachedStatement>();
  const guarded = <T>(sql: string, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      // libsql would report the failure again at the statement's next run.
      cache.delete(sql);
      throw translated(error, path);
    }
  };
  const prepared = (sql: string): CachedStatement => {
    const statement = guarded(sql, () => file.prepare(sql));
    const { reader } = statement;
    const columns = reader ? statement.raw(true).columns() : [];
    const names = columns.map(({ name }) => name);
    // As objects, libsql's rows have a property more and take twice the time.
    const rowOf = (values: unknown): Record<string, unknown> => {
      const row: Record<string, unknown> = {};
      for (let at = 0; at < names.length; at++) row[names[at] as string] = (values as unknown[])[at];
      return row;
    };
    const all = (parameters: readonly unknown[]) =>
      guarded(sql, () => statement.all([...parameters]).map(rowOf));
    const run = (parameters: readonly unknown[]) => guarded(sql, () => statement.run([...parameters]));
    return {
      reader,
      all,
      run,
      value: () => guarded(sql, () => (statement.get() as unknown[])[0]),
      iterate: (parameters) => all(parameters)[Symbol.iterator](),
      first(parameters) {
        if (!reader) return void run(parameters);
        const values = guarded(sql, () => statement.get([...parameters]));
        return values === undefined ? undefined : rowOf(values);
      },
    };
  };
  return {
    prepare(sql: string): CachedStatement {
      const statement = cache.get(sql) ?? prepared(sql);
      cache.set(sql, statement);
      return statement;
    },
    close() {
      // SQLite keeps the file open as long as there is a statement on it.
      cache.clear();
      file.close();
    },
  };
}

/**
 * Begins transactions immediate: one that begins deferred, reads, and then writes fails at once when another process
 * has written since. Waits for its turn here, because SQLite would block timers, signals and reads of this process.
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

  /** SQLite ends a transaction itself where the disk is full: a failing rollback must not hide that error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.file.inTransaction) await super.rollbackTransaction(connection);
  }

  /** Whether the turn to write is ours now; throws where it is not and this was the last attempt. */
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
      if (isLast || !isBusy(error)) throw translated(error, this.path);
      return false;
    }
  }
}
