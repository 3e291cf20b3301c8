import { sql } from 'kysely';
import type { Connection } from './connection.ts';

/** What an operator asks about the database itself. */
export function databaseQueries({ db, dialect }: Connection) {
  return {
    /** What the database takes on the disk, with candidates' files where they are in it. */
    async bytes(): Promise<number> {
      const query =
        dialect === 'sqlite'
          ? sql<{
              bytes: number;
            }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`
          : sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`;
      return Number((await query.execute(db)).rows[0]?.bytes);
    },

    /** False for a user who may only read, and on a standby. */
    async isWritable(): Promise<boolean> {
      if (dialect === 'sqlite') return true;
      const { rows } = await sql<{ isWritable: boolean }>`select has_table_privilege('jobs', 'insert')
        and current_setting('transaction_read_only') = 'off' as "isWritable"`.execute(db);
      return rows[0]?.isWritable === true;
    },

    async counts() {
      const tallied = sql<number>`coalesce(sum(pending + accepted + rejected), 0)`;
      const { applications } = await db
        .selectFrom('job_tallies')
        .select(tallied.as('applications'))
        .executeTakeFirstOrThrow();
      const contents = db.selectFrom('files').select(['digest', 'bytes']).distinct();
      const { files, fileBytes } = await db
        .selectFrom(contents.as('contents'))
        .select((on) => [on.fn.countAll().as('files'), on.fn.sum('bytes').as('fileBytes')])
        .executeTakeFirstOrThrow();
      return { applications: Number(applications), files: Number(files), fileBytes: Number(fileBytes) };
    },
  };
}
