import { PGlite } from '@electric-sql/pglite';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { DialectName } from '../../../src/engine/store/dialect.ts';
import { migrate } from '../../../src/engine/store/migrate.ts';
import { openSqlite } from '../../../src/engine/store/sqlite.ts';
import type { Tables } from '../../../src/engine/store/tables.ts';

/** Every test of the store runs on each of these. */
export const DIALECTS: Readonly<Record<DialectName, (path: string) => Promise<Kysely<Tables>>>> = {
  sqlite: openSqlite,
  postgres: () => openPostgres(),
};

/** Is told of a statement that was run, and may run others behind it in the same transaction. */
type AfterQuery = (sql: string, run: (sql: string) => Promise<unknown>) => Promise<unknown>;

/** PostgreSQL in this process, migrated. */
export async function openPostgres(afterQuery: AfterQuery = async () => {}): Promise<Kysely<Tables>> {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: await pglitePool(afterQuery) }) });
  await migrate(db, 'postgres');
  return db;
}

/** It has one connection, which its users take in turns. */
async function pglitePool(afterQuery: AfterQuery): Promise<PostgresPool> {
  const database = await PGlite.create();
  let free = Promise.resolve();
  return {
    async connect() {
      const before = free;
      let release = (): void => {};
      free = new Promise((resolve) => {
        release = resolve;
      });
      await before;
      return { query: query as PostgresPoolClient['query'], release };
    },
    end: () => database.close(),
  };

  async function query(sql: string, parameters: readonly unknown[]) {
    const { rows, affectedRows = 0 } = await database.query(sql, [...parameters]);
    await afterQuery(sql, (other) => database.query(other));
    return { command: sql.trimStart().split(/\s/, 1)[0]?.toUpperCase(), rowCount: affectedRows, rows };
  }
}
