import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { Pool } from 'undici';
import { sendThrough } from '../../scripts/contract/remote.ts';
import { openEngine } from '../../src/engine/open.ts';
import { sqliteFile } from '../../src/engine/store/address.ts';
import type { Tables } from '../../src/engine/store/tables.ts';
import { newHome } from '../cli/partner.ts';
import { serveEngine } from '../cli/servers.ts';
import { databaseAt, openDatabase } from '../engine/store/dialects.ts';

import { PLACES_PATH, peopleOf, type Subject } from './subject.ts';

/** Runs the built `partner engine serve` in a separate process, on SQLite or a PostgreSQL server. */
export async function openSocket(kind: 'sqlite' | 'server' = 'sqlite'): Promise<Subject> {
  const home = await newHome();
  const onServer = kind === 'server' ? await openDatabase(kind) : undefined;
  const database = onServer ?? databaseAt(sqliteFile(home.database));
  const { address } = database;
  const { url, stop } = await serveEngine(
    home,
    address.dialect === 'sqlite' ? '--port 0' : `--port 0 --database ${address.url}`,
  );
  const engine = await openEngine({ database: address, placesPath: PLACES_PATH });
  const [store, tables] = [await database.openStore(), await database.tables()];
  const pool = new Pool(new URL(url).origin);
  const people = peopleOf(engine.operator, store, Date.now);
  return {
    ...people,
    baseUrl: url,
    send: (request) => sendThrough(pool, request),
    now: Date.now,
    async revokeKey(companyId, key) {
      await people.revokeKey(companyId, key);
      // Another process may use its cached values for up to a second.
      if (onServer !== undefined) await pause(1_000);
    },
    passTime: (companyId, durationMs) => dateBack(tables, kind, companyId, durationMs),
    async close() {
      await pool.close();
      await stop();
      await store.close();
      await engine.close();
      await database.drop();
    },
  };
}

const JOB_TIMES = ['created_at', 'published_at', 'expires_at', 'closed_at'];

/** Moves the stored times of the company's jobs and requests back. */
async function dateBack(db: Kysely<Tables>, kind: string, companyId: string, byMs: number): Promise<void> {
  const interval = `-${byMs / 1000} seconds`;
  const ofCompany = sql`company_id = ${companyId}`;
  const earlier = (column: string) =>
    kind === 'sqlite'
      ? sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${sql.ref(column)}, ${interval})`
      : sql`to_char((${sql.ref(column)}::timestamptz + ${interval}::interval) at time zone 'utc',
          'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  for (const [table, columns, which] of [
    ['jobs', JOB_TIMES, ofCompany],
    ['idempotency', ['stored_at'], ofCompany],
    ['applications', ['received_at'], sql`job_id in (select id from jobs where ${ofCompany})`],
  ] as const) {
    const set = columns.map((column) => sql`${sql.ref(column)} = ${earlier(column)}`);
    await sql`update ${sql.table(table)} set ${sql.join(set)} where ${which}`.execute(db);
  }
}
