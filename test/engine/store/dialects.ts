import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { Kysely, PostgresPool, PostgresPoolClient } from 'kysely';
import packageJson from '../../../package.json' with { type: 'json' };
import type { DialectName } from '../../../src/engine/store/connection.ts';
import { openPostgres as openPostgresOn } from '../../../src/engine/store/postgres.ts';
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
  return openPostgresOn(await pglitePool(afterQuery));
}

/** It has one connection, which its users take in turns. */
async function pglitePool(afterQuery: AfterQuery): Promise<PostgresPool> {
  const database = await emptyCluster();
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

/** As `initdb` makes it, which takes five times as long as to load what it made: kept for the next who asks. */
async function emptyCluster(): Promise<PGlite> {
  const directory = join(tmpdir(), `partner-tests-${userInfo().uid}`);
  const kept = join(directory, `pglite-${packageJson.devDependencies['@electric-sql/pglite']}.tar`);
  if (existsSync(kept)) return PGlite.create({ loadDataDir: new Blob([await readFile(kept)]) });
  const made = await PGlite.create();
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const draft = `${kept}.${process.pid}`;
  await writeFile(draft, Buffer.from(await (await made.dumpDataDir('none')).arrayBuffer()));
  // Whole at any moment to the tests of another process.
  await rename(draft, kept);
  return made;
}
