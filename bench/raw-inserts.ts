import Libsql from 'libsql';

type Row = unknown[];

/**
 * Seconds that a plain loop takes to insert the jobs of an engine's database into a copy of its tables at
 * `copyPath`: the same rows, indexes and settings (WAL, synchronous = full), one commit each. Nothing that
 * stores a job durably by itself is quicker.
 */
export function rawInsertSeconds(databasePath: string, copyPath: string): number {
  const source = new Libsql(databasePath, { readonly: true });
  const rowsOf = (table: string) => source.prepare(`select * from ${table}`).raw(true).all() as Row[];
  const schema = source.prepare(
    "select sql from sqlite_schema where sql is not null and name not like 'sqlite%'",
  );
  const copy = new Libsql(copyPath);
  copy.exec('pragma journal_mode = wal');
  copy.exec('pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -8000');
  for (const { sql } of schema.all() as { sql: string }[]) copy.exec(sql);
  for (const company of rowsOf('companies')) inserting(copy, 'companies', company).run(company);
  const jobs = rowsOf('jobs');
  source.close();

  const insert = inserting(copy, 'jobs', jobs[0] ?? []);
  const startedAt = performance.now();
  for (const job of jobs) insert.run(job);
  const seconds = (performance.now() - startedAt) / 1000;
  copy.close();
  return seconds;
}

function inserting(database: Libsql.Database, table: string, row: Row): Libsql.Statement {
  return database.prepare(`insert into ${table} values (${row.map(() => '?').join(', ')})`);
}
