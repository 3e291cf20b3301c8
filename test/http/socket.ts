import Libsql from 'libsql';
import { Pool } from 'undici';
import { sendThrough } from '../../scripts/contract/remote.ts';
import { openEngine } from '../../src/engine/open.ts';
import { sqliteFile } from '../../src/engine/store/address.ts';
import { openSqliteStore } from '../../src/engine/store/sqlite.ts';
import { newHome } from '../cli/partner.ts';
import { serveEngine } from '../cli/servers.ts';
import { PLACES_PATH, peopleOf, type Subject } from './subject.ts';

/** `partner engine serve`, as it is built, in a process of its own. */
export async function openSocket(): Promise<Subject> {
  const home = await newHome();
  const { url, stop } = await serveEngine(home);
  const engine = await openEngine({ database: sqliteFile(home.database), placesPath: PLACES_PATH });
  const store = await openSqliteStore(home.database);
  const rows = new Libsql(home.database, { timeout: 10_000 });
  const pool = new Pool(new URL(url).origin);
  return {
    ...peopleOf(engine.operator, store, Date.now),
    baseUrl: url,
    send: (request) => sendThrough(pool, request),
    now: Date.now,
    async passTime(companyId, durationMs) {
      for (const statement of DATING_BACK)
        rows.prepare(statement).run(`-${durationMs / 1000} seconds`, companyId);
    },
    async close() {
      await pool.close();
      await stop();
      rows.close();
      await store.close();
      await engine.close();
    },
  };
}

/** Every time that the engine stores of a company's jobs and of their requests. */
const DATING_BACK = [
  datingBack('jobs', ['created_at', 'published_at', 'expires_at', 'closed_at'], 'company_id = ?2'),
  datingBack('idempotency', ['stored_at'], 'company_id = ?2'),
  datingBack('applications', ['received_at'], 'job_id in (select id from jobs where company_id = ?2)'),
];

function datingBack(table: string, columns: readonly string[], which: string): string {
  const set = columns.map((column) => `${column} = strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, ?1)`);
  return `update ${table} set ${set.join(', ')} where ${which}`;
}
