import { type Connection, lock, param, queryFirst } from './connection.ts';
import type { FileRow } from './tables.ts';

/** "FILE" */
const CONTENTS_LOCK = 0x46494c45;
/** PostgreSQL takes 65,535 parameters, SQLite 32,766. */
const DIGESTS_PER_QUERY = 1_000;

export function fileQueries(connection: Connection) {
  const { db } = connection;
  return {
    async insert(file: FileRow): Promise<void> {
      await db.insertInto('files').values(file).execute();
    },

    async find(id: string): Promise<FileRow | undefined> {
      const query = () => db.selectFrom('files').selectAll().where('id', '=', param('id'));
      return queryFirst(connection, 'file', query, { id });
    },

    async claim(id: string, claimedAt: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('files')
        .set((on) => ({ claimed_at: on.fn.coalesce('claimed_at', on.val(claimedAt)), sender: null }))
        .where('id', '=', id)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** The files with a sender, all of them or of one, that no application has named yet. */
    async waiting(sender?: string) {
      const row = await db
        .selectFrom('files')
        .select(({ fn }) => [
          fn.countAll().as('files'),
          fn.sum('bytes').as('bytes'),
          fn.min('uploaded_at').as('oldestAt'),
        ])
        .where('sender', 'is not', null)
        .$if(sender !== undefined, (query) => query.where('sender', '=', sender as string))
        .executeTakeFirstOrThrow();
      return { files: Number(row.files), bytes: Number(row.bytes), oldestAt: row.oldestAt ?? undefined };
    },

    /** Deletes the files that were sent before `sentBefore` and no application has named; gives their digests. */
    async sweep(sentBefore: string): Promise<string[]> {
      const gone = await db
        .deleteFrom('files')
        .where('claimed_at', 'is', null)
        .where('uploaded_at', '<', sentBefore)
        .returning('digest')
        .execute();
      return [...new Set(gone.map(({ digest }) => digest))];
    },

    async unnamed(digests: readonly string[]): Promise<string[]> {
      const named = new Set<string>();
      for (let from = 0; from < digests.length; from += DIGESTS_PER_QUERY) {
        const some = digests.slice(from, from + DIGESTS_PER_QUERY);
        const rows = await db.selectFrom('files').select('digest').where('digest', 'in', some).execute();
        for (const { digest } of rows) named.add(digest);
      }
      return digests.filter((digest) => !named.has(digest));
    },

    /** Until the transaction ends, nobody else puts a content in its place or takes one away. */
    lockContents: () => lock(connection, CONTENTS_LOCK),
  };
}
