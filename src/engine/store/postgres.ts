import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, PostgresDialect, sql } from 'kysely';
import { Client, type CustomTypesConfig, Pool, type PoolClient, type PoolConfig, types } from 'pg';
import { type Access, databaseName, databaseUnusable } from './address.ts';
import { DirectKysely } from './connection.ts';
import { createOutdatedError, migrate, newerRelease, SCHEMA_VERSION, schemaVersion } from './migrations.ts';
import { isConnectionLost, isPlanOutdated, translatePostgresError, unreachable } from './postgres-errors.ts';
import { createServer, type PooledClient, type Retries, type ServerPool } from './postgres-transactions.ts';
import { createStore, type Store } from './store.ts';
import type { Tables } from './tables.ts';

export interface StoreOptions {
  readonly connections?: number | undefined;
  readonly hasNoTimeouts?: boolean | undefined;
  readonly access?: Access | undefined;
}

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const TIMEOUTS: PoolConfig = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
  // Detects a server that stopped responding. The server's own timeouts are shorter, so they apply first.
  query_timeout: STATEMENT_TIMEOUT_MS + 5_000,
};

/** Reads wide integers and sums as numbers, as SQLite does. By default, pg reads them as text. */
export const NUMBER_TYPES: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === types.builtins.INT8 || oid === types.builtins.NUMERIC ? Number : types.getTypeParser(oid, format),
};

/** An idle connection is considered possibly broken after this time. */
const FRESH_MS = 20;

/** A select that fails later than this isn't retried, because the retry would come too late. */
const STALE_MS = 1_000;

/** Limits the server's memory for named statements, because statements with value lists differ each time. */
const NAMED_STATEMENTS_MAX = 200;

/** Throws DATABASE_UNUSABLE, or DATABASE_OUTDATED if `access` doesn't allow a migration. */
export async function openPostgresStore(
  url: string,
  { connections = 10, hasNoTimeouts = false, access = 'migrate' }: StoreOptions = {},
): Promise<Store> {
  const pool = createPool(url, { max: connections, ...(hasNoTimeouts ? {} : TIMEOUTS) });
  let retries = 0;
  const retriesCounted = (waitMs: number) => {
    retries++;
    return pause(waitMs);
  };
  const db = openPool(pool, { pause: retriesCounted, random: Math.random });
  try {
    const name = databaseName({ dialect: 'postgres', url });
    const version = await assertOurs(db, name);
    if (version !== SCHEMA_VERSION) {
      if (access !== 'migrate') throw createOutdatedError(name, version);
      const migrating = openPool(createPool(url, { max: 1 }));
      await migrate(migrating, 'postgres').finally(() => migrating.destroy());
    }
    const time = sql<{ now: number }>`select extract(epoch from clock_timestamp()) * 1000 as now`;
    return {
      ...createStore(db, 'postgres'),
      pool: () => ({ ...pool.use(), retries }),
      serverTime: async () => (await time.execute(db)).rows[0]?.now,
    };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Connects for reading, without migrations and timeouts. Throws DATABASE_UNUSABLE. */
export async function connectPostgres(url: string): Promise<Kysely<Tables>> {
  const db = openPool(createPool(url, { max: 1 }));
  try {
    await assertOurs(db, databaseName({ dialect: 'postgres', url }));
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

export function openPool(pool: ServerPool, retries?: Retries): DirectKysely {
  return new DirectKysely(new PostgresDialect({ pool }), createServer(pool, retries));
}

async function assertOurs(db: DirectKysely, name: string): Promise<number> {
  const anyTable = sql`select from pg_tables where schemaname = current_schema() limit 1`;
  // Checked before the version. Otherwise, tables of a concurrent migration would look like another program's.
  const isEmpty = (await anyTable.execute(db)).rows.length === 0;
  const version = await schemaVersion(db, 'postgres');
  if (version === undefined ? !isEmpty : Number.isNaN(version)) {
    throw databaseUnusable(name, 'it contains tables of another program', {
      hint: 'use a separate database, or a separate schema as the first in the search_path',
    });
  }
  if ((version ?? 0) > SCHEMA_VERSION) {
    throw databaseUnusable(name, newerRelease(version), { hint: 'upgrade partner on this machine too' });
  }
  return version ?? 0;
}

/** Closes the connection if the login fails. pg would wait for the server, up to a minute without a password. */
class ServerClient extends Client {
  override connect(): Promise<Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<Client> | undefined {
    if (callback === undefined) return super.connect();
    super.connect((error: Error) => {
      if (error) void this.end();
      callback(error);
    });
    return undefined;
  }
}

function createPool(url: string, limits: PoolConfig) {
  const pool = new Pool({
    Client: ServerClient,
    connectionString: withoutWarning(url),
    types: NUMBER_TYPES,
    pipeline: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // A failed command must exit without waiting for idle connections.
    allowExitOnIdle: true,
    application_name: 'partner',
    ...limits,
  });
  const name = databaseName({ dialect: 'postgres', url });
  const clients = new WeakMap<PoolClient, PooledClient>();
  // Ignored, because the pool replaces a broken idle connection, and a query on a broken connection fails anyway.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const server = {
    async connect(): Promise<PooledClient> {
      const startedAt = performance.now();
      try {
        const client = await pool.connect();
        const known = clients.get(client) ?? wrapClient(client);
        clients.set(client, known);
        return known;
      } catch (error) {
        const isTimeout = performance.now() - startedAt >= CONNECT_TIMEOUT_MS - 100;
        const why = pool.totalCount >= pool.options.max ? 'busy' : 'silent';
        throw isTimeout ? unreachable(error, name, why) : unreachable(error, name);
      }
    },
    end: () => pool.end(),
    use: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
  const wrapClient = nameStatements(name, server);
  return server;
}

/**
 * Sends statements by name, so that the server plans each one only once per connection. PgBouncer in transaction mode
 * supports this from version 1.21, with `max_prepared_statements` above 0.
 */
function nameStatements(database: string, pool: ServerPool): (client: PoolClient) => PooledClient {
  let names = new Map<string, string>();
  let named = 0;
  /** Added to statements after a migration, because PgBouncer reuses the outdated plan of an identical statement. */
  let generation = 0;
  const chooseName = (text: string): string | undefined => {
    if (!names.has(text) && names.size < NAMED_STATEMENTS_MAX) names.set(text, `partner_${++named}`);
    return names.get(text);
  };
  return (client) => {
    let isBroken = false;
    let idleSince: number | undefined;
    const sendTogether = createCork(client);
    const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
      // Without this check, a rollback on the broken connection would wait for another timeout.
      if (isBroken) throw unreachable(undefined, database, 'broken');
      const sent = generation === 0 ? text : `${text} /* ${generation} */`;
      const [isFirst, sentAt] = [idleSince !== undefined, performance.now()];
      sendTogether();
      try {
        const result = await client.query({ name: chooseName(sent), text: sent, values: [...values] });
        idleSince = undefined;
        return result;
      } catch (error) {
        if (isConnectionLost(error) || text === 'rollback') {
          if (!isBroken) client.release(true);
          isBroken = true;
          const isStale = isFirst && performance.now() - sentAt < STALE_MS;
          pooled.isStale ||= isStale;
          // Only a select is repeated, because any other statement may have taken effect.
          if (isStale && /^select\b/i.test(text)) {
            const other = await pool.connect();
            return other.query(text, values).finally(() => other.release());
          }
        }
        if (isPlanOutdated(error)) {
          generation++;
          names = new Map();
          if (client.getTransactionStatus() === 'I') return query(text, values);
        }
        throw translatePostgresError(error, database);
      }
    };
    const release = () => {
      if (!isBroken) client.release();
      idleSince = performance.now();
    };
    const isFresh = () => idleSince === undefined || performance.now() - idleSince < FRESH_MS;
    const pooled = { query: query as PooledClient['query'], release, isStale: false, isFresh };
    return pooled;
  };
}

/** Sends all statements from one turn of the event loop in a single system call. */
function createCork(client: PoolClient): () => void {
  let isCorked = false;
  return () => {
    if (isCorked) return;
    isCorked = true;
    const { stream } = client.connection;
    stream.cork();
    setImmediate(() => {
      isCorked = false;
      stream.uncork();
    });
  };
}

/** pg treats these modes as `verify-full`, but warns that a later version won't. */
function withoutWarning(url: string): string {
  const address = new URL(url);
  const mode = address.searchParams.get('sslmode') ?? '';
  if (['prefer', 'require', 'verify-ca'].includes(mode)) address.searchParams.set('sslmode', 'verify-full');
  return address.href;
}
