import { sql } from 'kysely';
import { type Connection, lock, prepare } from './connection.ts';
import type { FileRow } from './tables.ts';

const QUOTAS_LOCK = 0x46494c45;
const DIGESTS_PER_QUERY = 1_000;

export function createFileQueries(connection: Connection) {
  const { db } = connection;

  return {
    insert: (file: FileRow) => db.insertInto('files').values(file).execute(),

    find: prepare(connection, 'file', (id: string) =>
      db.selectFrom('files').selectAll().where('id', '=', id),
    ),

    async claim(id: string, claimedAt: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('files')
        .set((on) => ({ claimed_at: on.fn.coalesce('claimed_at', on.val(claimedAt)), sender: null }))
        .where('id', '=', id)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async sumWaiting(sender?: string) {
      const row = await db
        .selectFrom('files')
        .select(({ fn }) => [
          fn.countAll<number>().as('files'),
          fn.sum<number | null>('bytes').as('bytes'),
          fn.min('uploaded_at').as('oldestAt'),
        ])
        .where('sender', 'is not', null)
        .$if(sender !== undefined, (query) => query.where('sender', '=', sender as string))
        .executeTakeFirstOrThrow();
      return { ...row, bytes: row.bytes ?? 0, oldestAt: row.oldestAt ?? undefined };
    },

    async sweep(sentBefore: string): Promise<string[]> {
      const gone = await db
        .deleteFrom('files')
        .where('claimed_at', 'is', null)
        .where('uploaded_at', '<', sentBefore)
        .returning('digest')
        .execute();
      return [...new Set(gone.map(({ digest }) => digest))];
    },

    /** Returns the digests that no file has (SQLite only). */
    async listUnnamed(digests: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ digest: string }>`select value as digest
        from json_each(${JSON.stringify(digests)}) where value not in (select digest from files)`.execute(db);
      return rows.map(({ digest }) => digest);
    },

    lockQuotas: () => lock(connection, QUOTAS_LOCK),

    /** Stores file content. Locks it until the transaction ends if it already exists, so that no cleanup deletes it. */
    putContent: (digest: string, content: Uint8Array) =>
      db
        .insertInto('file_contents')
        .values({ digest, content })
        .onConflict((conflict) => conflict.column('digest').doUpdateSet({ digest }))
        .execute(),

    async content(digest: string): Promise<Uint8Array | undefined> {
      const query = db.selectFrom('file_contents').select('content').where('digest', '=', digest);
      return (await query.executeTakeFirst())?.content;
    },

    async *digests(): AsyncGenerator<string[]> {
      for (let last = ''; ; ) {
        const query = db.selectFrom('files').select('digest').distinct().where('digest', '>', last);
        const rows = await query.orderBy('digest').limit(DIGESTS_PER_QUERY).execute();
        const end = rows.at(-1)?.digest;
        if (end === undefined) return;
        last = end;
        yield rows.map(({ digest }) => digest);
      }
    },

    /** Deletes contents without a file, and returns their number (PostgreSQL only). */
    async deleteUnnamedContents(digests: readonly string[]): Promise<number> {
      const any = sql<string>`any(${digests})`;
      // Locks the contents first, so that the delete sees references from concurrent uploads.
      const contents = db.selectFrom('file_contents').select('digest').where('digest', '=', any);
      await contents.orderBy('digest').forUpdate().execute();
      const { numDeletedRows } = await db
        .deleteFrom('file_contents')
        .where('digest', '=', any)
        .where('digest', 'not in', db.selectFrom('files').select('digest').where('digest', '=', any))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },

    deleteContents: () => db.deleteFrom('file_contents').execute(),
  };
}
