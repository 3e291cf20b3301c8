import { runPrepared } from './prepared.ts';
import type { Connection } from './store.ts';

/** The queries on what the engine's time is ahead of the machine's, in milliseconds. */
export function clockQueries(connection: Connection) {
  const { db } = connection;
  return {
    async offsetMs(): Promise<number> {
      const query = () => db.selectFrom('engine_clock').select('offset_ms');
      const row = await runPrepared(connection, 'clock', query, {});
      return Number(row?.offset_ms ?? 0);
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
