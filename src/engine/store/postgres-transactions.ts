import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { DirectServer } from './connection.ts';
import { conflictPersists, isConflict } from './postgres-errors.ts';
import type { Tables } from './tables.ts';

export interface Retries {
  readonly pause: (ms: number) => Promise<unknown>;
  /** From 0 to 1. */
  readonly random: () => number;
}

const ATTEMPTS_MAX = 10;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Runs short statements and transactions on the pool's connections. Transactions have the isolation that the server
 * gives them: READ COMMITTED as a rule, for which the queries lock rows; at a stricter one the locks only cost retries.
 */
export function createServer(
  pool: PostgresPool,
  retries: Retries = { pause, random: Math.random },
): DirectServer {
  const databases = new WeakMap<PostgresPoolClient, Kysely<Tables>>();
  const beginnings = new WeakMap<PostgresPoolClient, Promise<unknown>>();
  const databaseOn = (client: PostgresPoolClient): Kysely<Tables> => {
    const known = databases.get(client);
    if (known !== undefined) return known;
    const query = async (...statement: Parameters<PostgresPoolClient['query']>) => {
      await beginnings.get(client);
      return client.query(...statement);
    };
    const only = { query, release: () => {} } as unknown as PostgresPoolClient;
    const onlyPool: PostgresPool = { connect: async () => only, end: async () => {} };
    const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: onlyPool }) });
    databases.set(client, database);
    return database;
  };

  async function transactOnce<T>(work: Parameters<typeof server.transact<T>>[0]): Promise<T> {
    const client = await pool.connect();
    const lasting: Promise<unknown>[] = [];
    try {
      const begun = client.query('begin', []);
      beginnings.set(client, begun);
      const ahead = firstOn(client);
      const first: First = async (sql, parameters) => {
        await begun;
        return ahead(sql, parameters);
      };
      const last: DirectServer['first'] = (sql, parameters) => {
        const sent = first(sql, parameters);
        // It is looked at together with the commit.
        sent.catch(() => {});
        lasting.push(sent);
        return undefined;
      };
      const direct = { first, ahead: { first: ahead }, last: { first: last } };
      const [result] = await Promise.all([work({ db: databaseOn(client), direct: () => direct }), begun]);
      const [{ command }] = await Promise.all([client.query('commit', []), ...lasting]);
      // What the server answers where a statement has failed, and nobody has said so.
      if ((command as string) === 'ROLLBACK')
        throw new Error('a transaction went on after a failed statement');
      return result;
    } catch (error) {
      // The connection ends where this fails, and the transaction with it.
      await client.query('rollback', []).catch(() => {});
      // What was sent behind a statement that failed says only that something has.
      for (const sent of lasting) await sent;
      throw error;
    } finally {
      client.release();
    }
  }

  const server: DirectServer = {
    async first(sql, parameters) {
      const client = await pool.connect();
      try {
        return await firstOn(client)(sql, parameters);
      } finally {
        client.release();
      }
    },

    async transact(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await transactOnce(work);
        } catch (error) {
          // A commit that got no answer is no conflict: it may have happened.
          if (!isConflict(error)) throw error;
          if (attempt === ATTEMPTS_MAX) throw conflictPersists(error);
        }
        const longestMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
        await retries.pause(retries.random() * longestMs);
      }
    },
  };
  return server;
}

type First = (sql: string, parameters: readonly unknown[]) => Promise<object | undefined>;

function firstOn(client: PostgresPoolClient): First {
  return async (sql, parameters) => (await client.query<object>(sql, parameters)).rows[0];
}
