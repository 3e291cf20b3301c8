import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { isoTime } from '../../contract/time.ts';
import { type Connection, queryFirst } from './connection.ts';

/** How many jobs one transaction moves: other writes get their turn between two. */
const SETTLED_AT_ONCE = 250;
/** Machines whose clocks differ by less do not undo each other's work. */
const CLOCKS_DIFFER_MS = 1_000;
/** A list waits so often for jobs that others have locked; after that it goes on without them. */
const WAITS_MAX = 200;
const WAIT_MS = 10;

// Literals, as in the indexes: SQLite takes these for nothing else.
const LIVE = [sql.lit('ACTIVE' as const), sql.lit('PAUSED' as const)];
const EXPIRED = sql.lit('EXPIRED' as const);

interface SettledStore {
  readonly read: { readonly expiry: ReturnType<typeof expiryQueries> };
  write<T>(work: (queries: SettledStore['read']) => Promise<T>): Promise<T>;
}

/**
 * Moves the jobs whose `expires_at` has come, or lies ahead again since the clock was put back, to where lists look for
 * them. Gives the time (epoch ms) at which lists by status and counts are now right.
 */
export async function settleExpiry(
  { read, write }: SettledStore,
  clock: () => number,
  clocksDifferMs = CLOCKS_DIFFER_MS,
): Promise<number> {
  for (let waits = 0; ; ) {
    const now = clock();
    const { next, last } = await read.expiry.ends();
    const isSettled =
      (next === null || next > isoTime(now)) && (last === null || last <= isoTime(now + clocksDifferMs));
    if (isSettled || waits === WAITS_MAX) return now;
    const moved = await write(({ expiry }) => expiry.settle(isoTime(now)));
    if (moved > 0) continue;
    waits++;
    await pause(WAIT_MS);
  }
}

export function expiryQueries(connection: Connection) {
  const { db, dialect } = connection;
  const jobs = (listed: 'live' | 'expired') =>
    db
      .selectFrom('jobs')
      .where((on) =>
        listed === 'live' ? on('listed_status', 'in', LIVE) : on('listed_status', '=', EXPIRED),
      );
  // What another process has locked, it is settling itself.
  const free = (found: ReturnType<typeof jobs>) => {
    const ids = found.select('id').limit(SETTLED_AT_ONCE);
    return dialect === 'postgres' ? ids.forUpdate().skipLocked() : ids;
  };
  return {
    /** The next end of a job that is listed as live, and the last one of those that are listed as EXPIRED. */
    async ends() {
      // The least and the greatest of an index, whatever PostgreSQL guesses of how many there are.
      const query = () =>
        db.selectNoFrom([
          jobs('live')
            .select((on) => on.fn.min('expires_at').as('end'))
            .as('next'),
          jobs('expired')
            .select((on) => on.fn.max('expires_at').as('end'))
            .as('last'),
        ]);
      return (await queryFirst(connection, 'ends', query, {})) ?? { next: null, last: null };
    },

    /** Moves some of the jobs that are not listed as they are at `now`; gives how many. */
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

    /** How many jobs that were published and not closed end after one time and by the other. */
    async countEnding(after: string, by: string): Promise<number> {
      const ending = (listed: 'live' | 'expired') =>
        jobs(listed)
          .where('expires_at', '>', after)
          .where('expires_at', '<=', by)
          .select((on) => on.fn.countAll<number>().as('jobs'));
      const { live, expired } = await db
        .selectNoFrom([ending('live').as('live'), ending('expired').as('expired')])
        .executeTakeFirstOrThrow();
      return Number(live) + Number(expired);
    },
  };
}
