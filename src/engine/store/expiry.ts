import { sql } from 'kysely';
import { type Connection, prepare } from './connection.ts';

const SETTLED_AT_ONCE = 250;

// Literals, because SQLite uses the partial indexes only if the status is a literal.
const LIVE = [sql.lit('ACTIVE' as const), sql.lit('PAUSED' as const)];
const EXPIRED = sql.lit('EXPIRED' as const);

export function createExpiryQueries(connection: Connection) {
  const { db, dialect } = connection;
  const jobs = (listed: 'live' | 'expired') =>
    db
      .selectFrom('jobs')
      .where((on) =>
        listed === 'live' ? on('listed_status', 'in', LIVE) : on('listed_status', '=', EXPIRED),
      );
  const free = (found: ReturnType<typeof jobs>) => {
    const ids = found.select('id').limit(SETTLED_AT_ONCE);
    return dialect === 'postgres' ? ids.forUpdate().skipLocked() : ids;
  };
  // `min` and `max` read one index entry each, even if PostgreSQL misjudges the number of rows.
  const findEnds = prepare(connection, 'ends', () =>
    db.selectNoFrom([
      jobs('live')
        .select((on) => on.fn.min('expires_at').as('end'))
        .as('next'),
      jobs('expired')
        .select((on) => on.fn.max('expires_at').as('end'))
        .as('last'),
    ]),
  );
  return {
    ends: async () => (await findEnds()) ?? { next: null, last: null },

    async settle(now: string): Promise<number> {
      const ended = await db
        .with('ended', () => free(jobs('live').where('expires_at', '<=', now).orderBy('expires_at')))
        .updateTable('jobs')
        .set({ listed_status: 'EXPIRED' })
        .where('id', 'in', (on) => on.selectFrom('ended').select('id'))
        .executeTakeFirst();
      const revived = await db
        .with('revived', () => free(jobs('expired').where('expires_at', '>', now).orderBy('expires_at')))
        .updateTable('jobs')
        .set((on) => ({ listed_status: on.ref('status') }))
        .where('id', 'in', (on) => on.selectFrom('revived').select('id'))
        .executeTakeFirst();
      return Number(ended.numUpdatedRows + revived.numUpdatedRows);
    },

    async countEnding(after: string, by: string): Promise<number> {
      const selectEnding = (listed: 'live' | 'expired') =>
        jobs(listed)
          .where('expires_at', '>', after)
          .where('expires_at', '<=', by)
          .select((on) => on.fn.countAll<number>().as('jobs'));
      const { live, expired } = await db
        .selectNoFrom([selectEnding('live').as('live'), selectEnding('expired').as('expired')])
        .executeTakeFirstOrThrow();
      return (live ?? 0) + (expired ?? 0);
    },
  };
}
