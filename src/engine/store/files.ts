import { type Connection, lock, param, queryFirst } from './connection.ts';
import type { FileRow } from './tables.ts';

/** "FILE" */
const QUOTAS_LOCK = 0x46494c45;
/** PostgreSQL takes 65,535 parameters, SQLite 32,766. */
const DIGESTS_PER_QUERY = 1_000;

export function fileQueries(connection: Connection) {
  const { db } = connection;

  const unnamed = async (digests: readonly string[]): Promise<string[]> => {
    const named = new Set<string>();
    for (const some of inPieces(digests)) {
      const rows = await db.selectFrom('files').select('digest').where('digest', 'in', some).execute();
      for (const { digest } of rows) named.add(digest);
    }
    return digests.filter((digest) => !named.has(digest));
  };

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

    unnamed,

    /** Until the transaction ends, nobody else adds a file of a sender. */
    lockQuotas: () => lock(connection, QUOTAS_LOCK),

    /** Keeps a content; one that is there stays locked until the transaction ends, so that no sweep deletes it. */
    async putContent(digest: string, content: Uint8Array): Promise<void> {
      const query = () =>
        db
          .insertInto('file_contents')
          .values({ digest: param('digest'), content: param('content') })
          .onConflict((conflict) => conflict.column('digest').doUpdateSet({ digest: param('digest') }));
      await queryFirst(connection, 'put content', query, { digest, content });
    },

    async content(digest: string): Promise<Uint8Array | undefined> {
      const query = () =>
        db.selectFrom('file_contents').select('content').where('digest', '=', param('digest'));
      return (await queryFirst(connection, 'content', query, { digest }))?.content;
    },

    /** The digests that files have, each once, some at a time. */
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

    /** Deletes those of some contents that no row names; returns how many. */
    async deleteUnnamedContents(digests: readonly string[]): Promise<number> {
      let deleted = 0;
      for (const some of inPieces(digests)) {
        // Before they are looked up: an upload that names one now has ended when the lock is there.
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

    async deleteContents(): Promise<void> {
      await db.deleteFrom('file_contents').execute();
    },
  };
}

function* inPieces(digests: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < digests.length; from += DIGESTS_PER_QUERY) {
    yield digests.slice(from, from + DIGESTS_PER_QUERY);
  }
}
