import { sql } from 'kysely';
import { queryFirst } from './prepared.ts';
import type { Connection } from './store.ts';

/** The queries on what the engine's time is ahead of the machine's, in milliseconds. */
export function clockQueries(connection: Connection) {
  const { db, dialect } = connection;
  return {
    async offsetMs(): Promise<number> {
      const query = () => db.selectFrom('engine_clock').select('offset_ms');
      const row = await queryFirst(connection, 'clock', query, {});
      return Number(row?.offset_ms ?? 0);
    },

    /** Until the transaction ends, nobody else sets the clock. */
    async lock(): Promise<void> {
      // SQLite's immediate transaction has locked the whole database already; PostgreSQL has no row yet to lock.
      if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${CLOCK_LOCK})`.execute(db);
    },

    async setOffsetMs(offsetMs: number): Promise<void> {
      await db
        .insertInto('engine_clock')
        .values({ id: 1, offset_ms: offsetMs })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ offset_ms: offsetMs }))
        .execute();
    },
  };
}

/** Any number that no other lock of the database has: "TIME". */
const CLOCK_LOCK = 0x54494d45;
