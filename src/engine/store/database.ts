import { sql } from 'kysely';
import type { Connection } from './connection.ts';

/** What an operator asks about the database itself. */
export function databaseQueries({ db, dialect }: Connection) {
  return {
    /** The version of SQLite or of the server, and what the database takes on the disk, candidates' files in it included. */
    async size() {
      const query =
        dialect === 'sqlite'
          ? sql`select sqlite_version() as version, page_count * page_size as bytes
              from pragma_page_count, pragma_page_size`
          : sql`select current_setting('server_version') as version,
              pg_database_size(current_database()) as bytes`;
      const { rows } = await query.execute(db);
      const { version, bytes } = rows[0] as { version: string; bytes: number | string };
      return { serverVersion: version, databaseBytes: Number(bytes) };
    },

    async counts() {
      const contents = db.selectFrom('files').select(['digest', 'bytes']).distinct().as('contents');
      const files = db.selectFrom(contents);
      const row = await db
        .selectNoFrom([
          db
            .selectFrom('job_tallies')
            .select(sql<number>`coalesce(sum(pending + accepted + rejected), 0)`.as('applications'))
            .as('applications'),
          db
            .selectFrom('charge_days')
            .select((on) => on.fn.coalesce(on.fn.sum<number>('charges'), on.lit(0)).as('charges'))
            // The companies', of whose names none is less and none is greater.
            .where('target', '>=', 'company:')
            .where('target', '<', 'company;')
            .as('charges'),
          db
            .selectFrom('idempotency')
            .select((on) => on.fn.countAll<number>().as('answers'))
            .as('storedAnswers'),
          files.select((on) => on.fn.countAll<number>().as('files')).as('files'),
          files.select((on) => on.fn.sum<number>('bytes').as('bytes')).as('fileBytes'),
        ])
        .executeTakeFirstOrThrow();
      return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])) as {
        readonly [name in keyof typeof row]: number;
      };
    },
  };
}
