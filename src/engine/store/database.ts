import { sql } from 'kysely';
import { type Connection, lock, prepare } from './connection.ts';

const CLOCK_LOCK = 0x54494d45;

export function createClockQueries(connection: Connection) {
  const { db, onChange } = connection;
  const find = prepare(connection, 'clock', () => db.selectFrom('engine_clock').select('offset_ms'));
  return {
    offsetMs: async (): Promise<number> => (await find())?.offset_ms ?? 0,

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

export function createDatabaseQueries({ db, dialect }: Connection) {
  return {
    async bytes(): Promise<number> {
      const query =
        dialect === 'sqlite'
          ? sql`page_count * page_size as bytes from pragma_page_count, pragma_page_size`
          : sql`pg_database_size(current_database()) as bytes`;
      const { rows } = await sql<{ bytes: number }>`select ${query}`.execute(db);
      return rows[0]?.bytes ?? 0;
    },

    async isWritable(): Promise<boolean> {
      if (dialect === 'sqlite') return true;
      const { rows } = await sql<{ isWritable: boolean }>`select has_table_privilege('jobs', 'insert')
        and current_setting('transaction_read_only') = 'off' as "isWritable"`.execute(db);
      return rows[0]?.isWritable === true;
    },

    async counts() {
      const { rows } = await sql<{ applications: number; files: number; fileBytes: number }>`select
        (select coalesce(sum(pending + accepted + rejected), 0) from job_tallies) as applications,
        count(*) as files, coalesce(sum(bytes), 0) as "fileBytes"
        from (select distinct digest, bytes from files) as contents`.execute(db);
      return { applications: 0, files: 0, fileBytes: 0, ...rows[0] };
    },
  };
}
