import { type Connection, lock, queryFirst } from './connection.ts';
import type { NewTermsRow } from './tables.ts';

/** "TIME" */
const CLOCK_LOCK = 0x54494d45;

export function clockQueries(connection: Connection) {
  const { db, onChange } = connection;
  return {
    async offsetMs(): Promise<number> {
      const query = () => db.selectFrom('engine_clock').select('offset_ms');
      const row = await queryFirst(connection, 'clock', query, {});
      return Number(row?.offset_ms ?? 0);
    },

    /** Until the transaction ends, nobody else sets the clock. */
    lock: () => lock(connection, CLOCK_LOCK),

    async setOffsetMs(offsetMs: number): Promise<void> {
      onChange();
      await db
        .insertInto('engine_clock')
        .values({ id: 1, offset_ms: offsetMs })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ offset_ms: offsetMs }))
        .execute();
    },
  };
}

export function termsQueries(connection: Connection) {
  const { db } = connection;
  return {
    async latest(): Promise<NewTermsRow | undefined> {
      const query = () =>
        db.selectFrom('terms').select(['version', 'text', 'issued_at']).orderBy('id', 'desc').limit(1);
      return queryFirst(connection, 'terms', query, {});
    },

    async issue(terms: NewTermsRow): Promise<boolean> {
      const inserted = await db
        .insertInto('terms')
        .values(terms)
        .onConflict((conflict) => conflict.doNothing())
        .returning('version')
        .executeTakeFirst();
      return inserted !== undefined;
    },
  };
}
