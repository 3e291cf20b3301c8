import Libsql from 'libsql';

type Row = unknown[];

/**
 * Measures how long a simple loop takes to insert the engine's jobs into a copy of its tables, in seconds. Rows, indexes
 * and settings are the same. With one commit per job, this is the fastest way to store each job durably on its own.
 */
export function rawInsertSeconds(databasePath: string, copyPath: string): number {
  const source = new Libsql(databasePath, { readonly: true });
  const rowsOf = (table: string) => source.prepare(`select * from ${table}`).raw(true).all() as Row[];
  const schema = source.prepare(
    "select sql from sqlite_schema where sql is not null and name not like 'sqlite%'",
  );
  const copy = openCopy(copyPath);
  for (const { sql } of schema.all() as { sql: string }[]) copy.exec(sql);
  for (const company of rowsOf('companies')) inserting(copy, 'companies', company).run(company);
  const jobs = rowsOf('jobs');
  source.close();

  const seconds = rawSeconds(copy, { tables: ['jobs'], rows: jobs.map((job) => [job]), perCommit: 1 });
  copy.close();
  return seconds;
}

/** Opens a database with the engine's settings. A commit returns after its data is on disk. */
export function openCopy(path: string): Libsql.Database {
  const copy = new Libsql(path);
  copy.exec('pragma journal_mode = wal');
  copy.exec('pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -8000');
  return copy;
}

interface RawInserts {
  readonly tables: readonly string[];
  /** Rows by item. Each item has one row per table. */
  readonly rows: readonly (readonly Row[])[];
  /** Number of items that share a commit. */
  readonly perCommit: number;
}

/** Measures how long a simple loop takes to insert the rows, in seconds. */
export function rawSeconds(copy: Libsql.Database, { tables, rows, perCommit }: RawInserts): number {
  const inserts = tables.map((table, index) => inserting(copy, table, rows[0]?.[index] ?? []));
  const isAlone = perCommit === 1 && tables.length === 1;
  const startedAt = performance.now();
  for (const [number, thing] of rows.entries()) {
    if (!isAlone && number % perCommit === 0) copy.exec('begin immediate');
    for (const [index, insert] of inserts.entries()) insert.run(thing[index]);
    if (!isAlone && ((number + 1) % perCommit === 0 || number === rows.length - 1)) copy.exec('commit');
  }
  return (performance.now() - startedAt) / 1000;
}

function inserting(database: Libsql.Database, table: string, row: Row): Libsql.Statement {
  return database.prepare(`insert into ${table} values (${row.map(() => '?').join(', ')})`);
}
