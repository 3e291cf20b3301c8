import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { Direct, DirectServer, Work } from './connection.ts';
import { conflictPersists, isConflict } from './postgres-errors.ts';
import type { Tables } from './tables.ts';

export interface Retries {
  readonly pause: (ms: number) => Promise<unknown>;
  readonly random: () => number;
}

export interface PooledClient extends PostgresPoolClient {
  readonly isStale?: boolean;
  /** If false, the next write must start with `begin`, so that a lost connection fails before any change. */
  readonly isFresh?: () => boolean;
}

export interface ServerPool extends PostgresPool {
  connect(): Promise<PooledClient>;
}

const ATTEMPTS_MAX = 10;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;

/** Transactions use the server's default isolation level, usually READ COMMITTED, so queries must lock rows. */
export function createServer(pool: ServerPool, retries: Retries = { pause, random: Math.random }) {
  const databases = new WeakMap<PostgresPoolClient, Kysely<Tables>>();
  const directs = new WeakMap<PostgresPoolClient, Direct>();
  const getDatabase = (client: PostgresPoolClient): Kysely<Tables> => {
    const known = databases.get(client);
    if (known !== undefined) return known;
    const only = { query: client.query, release: () => {} } as unknown as PostgresPoolClient;
    const onlyPool: PostgresPool = { connect: async () => only, end: async () => {} };
    const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: onlyPool }) });
    databases.set(client, database);
    return database;
  };
  /** The store caches queries per connection, so `direct` must belong to the connection's current transaction. */
  const use = (client: PostgresPoolClient, direct: Direct) => {
    directs.set(client, direct);
    return { db: getDatabase(client), direct: () => directs.get(client) };
  };

  async function runTransaction<T>(client: PostgresPoolClient, work: Work<T>): Promise<T> {
    const lasting: Promise<unknown>[] = [];
    const first = createFirst(client);
    const last: Direct['first'] = (sql, parameters) => {
      const sent = first(sql, parameters);
      // Prevents an unhandled rejection. The error surfaces together with the commit.
      sent.catch(() => {});
      lasting.push(sent);
      return undefined;
    };
    try {
      // The server runs statements in order, so they can be sent without waiting for the result of `begin`.
      const begun = client.query('begin', []);
      const [result] = await Promise.all([work(use(client, { first, last: { first: last } })), begun]);
      const [{ command }] = await Promise.all([client.query('commit', []), ...lasting]);
      // PostgreSQL responds to `commit` with ROLLBACK if a statement failed and `work` ignored the error.
      if ((command as string) === 'ROLLBACK')
        throw new Error('a transaction continued after a failed statement');
      return result;
    } catch (error) {
      await client.query('rollback', []).catch(() => {});
      // The error of a failed `last` statement is the cause. Later statements only report an aborted transaction.
      for (const sent of lasting) await sent;
      throw error;
    }
  }

  const connect = () => ({ client: pool.connect(), users: 0 });
  /** Concurrent single-row reads share a connection and are sent together. They don't wait for locks. */
  let reading: ReturnType<typeof connect> | undefined;

  const server: DirectServer = {
    async first(sql, parameters) {
      const isRead = sql.startsWith('select');
      const used = (isRead ? reading : undefined) ?? connect();
      if (isRead) reading = used;
      used.users++;
      try {
        return await createFirst(await used.client)(sql, parameters);
      } catch (error) {
        // Later reads use another connection, because this one may be broken.
        if (reading === used) reading = undefined;
        throw error;
      } finally {
        if (--used.users === 0) {
          if (reading === used) reading = undefined;
          used.client.then((client) => client.release()).catch(() => {});
        }
      }
    },

    async transact(work, isSingle = false) {
      for (let attempt = 1; ; attempt++) {
        const client = await pool.connect();
        const isAlone = isSingle && client.isFresh?.() === true;
        try {
          if (!isAlone) return await runTransaction(client, work);
          return await work(use(client, { first: createFirst(client) }));
        } catch (error) {
          // Without a `begin`, the statement may have taken effect before the connection failed.
          if (client.isStale && !isAlone) continue;
          // A commit without a response may have succeeded, so it isn't retried.
          if (!isConflict(error)) throw error;
          if (attempt >= ATTEMPTS_MAX) throw conflictPersists(error);
        } finally {
          client.release();
        }
        const longestMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
        await retries.pause(retries.random() * longestMs);
      }
    },
  };
  return server;
}

function createFirst(client: PostgresPoolClient) {
  return async (sql: string, parameters: readonly unknown[]) =>
    (await client.query<object>(sql, parameters)).rows[0];
}
