import { type Connection, lock, prepare } from './connection.ts';
import type { FileRow } from './tables.ts';

const QUOTAS_LOCK = 0x46494c45;
const DIGESTS_PER_QUERY = 1_000;

export function createFileQueries(connection: Connection) {
  const { db } = connection;

  const listUnnamed = async (digests: readonly string[]): Promise<string[]> => {
    const named = new Set<string>();
    for (const some of inPieces(digests)) {
      const rows = await db.selectFrom('files').select('digest').where('digest', 'in', some).execute();
      for (const { digest } of rows) named.add(digest);
    }
    return digests.filter((digest) => !named.has(digest));
  };

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

    listUnnamed,

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

    async deleteUnnamedContents(digests: readonly string[]): Promise<number> {
      let deleted = 0;
      for (const some of inPieces(digests)) {
        // Locks the contents first, so that the delete sees references from concurrent uploads.
        const rows = db.selectFrom('file_contents').select('digest').where('digest', 'in', some);
        await rows.orderBy('digest').forUpdate().execute();
        const { numDeletedRows } = await db
          .deleteFrom('file_contents')
          .where('digest', 'in', some)
          .where('digest', 'not in', db.selectFrom('files').select('digest').where('digest', 'in', some))
          .executeTakeFirst();
        deleted += Number(numDeletedRows);
      }
      return deleted;
    },

    deleteContents: () => db.deleteFrom('file_contents').execute(),
  };
}

function* inPieces(digests: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < digests.length; from += DIGESTS_PER_QUERY) {
    yield digests.slice(from, from + DIGESTS_PER_QUERY);
  }
}
