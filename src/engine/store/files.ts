import { runPrepared, slot } from './prepared.ts';
import type { Connection } from './store.ts';
import type { FileRow } from './tables.ts';

/** The queries on the files that candidates have sent; their contents lie outside the database. */
export function fileQueries(connection: Connection) {
  const { db } = connection;
  return {
    async insert(file: FileRow): Promise<void> {
      await db.insertInto('files').values(file).execute();
    },

    async find(id: string): Promise<FileRow | undefined> {
      const query = () => db.selectFrom('files').selectAll().where('id', '=', slot<string>('id'));
      return runPrepared(connection, 'file', query, { id });
    },

    /** Notes that an application has named the file; the first one that did counts. */
    async claim(id: string, claimedAt: string): Promise<void> {
      await db
        .updateTable('files')
        .set({ claimed_at: claimedAt })
        .where('id', '=', id)
        .where('claimed_at', 'is', null)
        .execute();
    },

    /**
     * Forgets the files that were sent before `sentBefore` and named by no application since. Gives the digests of
     * those whose content nobody else has sent: they can be deleted.
     */
    async sweep(sentBefore: string): Promise<string[]> {
      const gone = await db
        .deleteFrom('files')
        .where('claimed_at', 'is', null)
        .where('uploaded_at', '<', sentBefore)
        .returning('digest')
        .execute();
      const digests = [...new Set(gone.map(({ digest }) => digest))];
      if (digests.length === 0) return [];
      const kept = await db.selectFrom('files').select('digest').where('digest', 'in', digests).execute();
      const stillUsed = new Set(kept.map(({ digest }) => digest));
      return digests.filter((digest) => !stillUsed.has(digest));
    },
  };
}
