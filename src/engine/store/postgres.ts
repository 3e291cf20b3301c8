import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import { Client, Pool, type PoolClient, type PoolConfig } from 'pg';
import { type Access, databaseName, databaseUnusable } from './address.ts';
import { DirectKysely } from './connection.ts';
import { migrate, newerRelease, outdated, SCHEMA_VERSION, schemaVersion } from './migrations.ts';
import { isConnectionLost, isPlanOutdated, translated, unreachable } from './postgres-errors.ts';
import { createServer, type Retries } from './postgres-transactions.ts';
import { createStore, type Store } from './store.ts';
import type { Tables } from './tables.ts';

export interface StoreOptions {
  /** How many connections this process opens at most; 10 where it is left out. */
  readonly connections?: number | undefined;
  /** For work that takes as long as the tables are large. */
  readonly hasNoTimeouts?: boolean | undefined;
  readonly access?: Access | undefined;
}

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const TIMEOUTS: PoolConfig = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: 10_000,
  // A process that stops amid a transaction must not keep its locks.
  idle_in_transaction_session_timeout: 30_000,
  // For a server that is gone without a word: its own time-outs come first.
  query_timeout: STATEMENT_TIMEOUT_MS + 5_000,
};

/** The server keeps every one in memory, and some texts are made anew each time: those of lists of values. */
const NAMED_STATEMENTS_MAX = 200;

/**
 * Opens the store on a PostgreSQL server, in the first schema of the connection's search_path. Throws DATABASE_UNUSABLE,
 * and changes nothing, if the database isn't ours or is of a newer release; throws DATABASE_OUTDATED.
 */
export async function openPostgresStore(
  url: string,
  { connections = 10, hasNoTimeouts = false, access = 'migrate' }: StoreOptions = {},
): Promise<Store> {
  const pool = serverPool(url, { max: connections, ...(hasNoTimeouts ? {} : TIMEOUTS) });
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
      if (access !== 'migrate') throw outdated(name, version);
      // Without time-outs: it takes as long as the tables are large.
      const migrating = openPool(serverPool(url, { max: 1 }));
      await migrate(migrating, 'postgres').finally(() => migrating.destroy());
    }
    return { ...createStore(db, 'postgres'), pool: () => ({ ...pool.use(), retries }) };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** A connection for reading a database as it is, without time-outs. Throws as `openPostgresStore`. */
export async function connectPostgres(url: string): Promise<Kysely<Tables>> {
  const db = openPool(serverPool(url, { max: 1 }));
  try {
    await assertOurs(db, databaseName({ dialect: 'postgres', url }));
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Takes the pool over: closing the database ends it. */
export function openPool(pool: PostgresPool, retries?: Retries): DirectKysely {
  return new DirectKysely(new PostgresDialect({ pool }), createServer(pool, retries));
}

/** The version of the schema, 0 for an empty database. Throws DATABASE_UNUSABLE. */
async function assertOurs(db: DirectKysely, name: string): Promise<number> {
  const anyTable = sql`select from pg_tables where schemaname = current_schema() limit 1`;
  // Before the version: tables that another process makes in the meantime are not another program's.
  const isEmpty = (await anyTable.execute(db)).rows.length === 0;
  const version = await schemaVersion(db, 'postgres');
  if (version === undefined ? !isEmpty : Number.isNaN(version)) {
    throw databaseUnusable(name, 'another program has its tables there', {
      hint: 'give partner a database of its own, or a schema of its own as the first of its search_path',
    });
  }
  if ((version ?? 0) > SCHEMA_VERSION) {
    throw databaseUnusable(name, newerRelease(version), { hint: 'upgrade partner here too' });
  }
  return version ?? 0;
}

/** Hangs up where it cannot sign in: pg waits for the server to do so, a minute where no password was given. */
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

function serverPool(url: string, limits: PoolConfig) {
  const pool = new Pool({
    Client: ServerClient,
    connectionString: withoutWarning(url),
    pipeline: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // A command that has failed must not wait for its idle connections.
    allowExitOnIdle: true,
    application_name: 'partner',
    ...limits,
  });
  const name = databaseName({ dialect: 'postgres', url });
  const clientOf = namedStatements(name);
  const clients = new WeakMap<PoolClient, PostgresPoolClient>();
  // Nobody waits on a connection that breaks while idle; the next query gets a new one.
  pool.on('error', () => {});
  // One that breaks while in use also fails its query, which says so.
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    async connect() {
      const startedAt = performance.now();
      try {
        const client = await pool.connect();
        const known = clients.get(client) ?? clientOf(client);
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
}

/**
 * Sends statements by name, so that the server parses and plans each once a connection. Between the two, PgBouncer in
 * transaction mode must know prepared statements: 1.21 with `max_prepared_statements` above 0.
 */
function namedStatements(database: string): (client: PoolClient) => PostgresPoolClient {
  let names = new Map<string, string>();
  let named = 0;
  /** PgBouncer gives a text the plan that it has: after a migration it must be another text. */
  let generation = 0;
  const nameOf = (text: string): string | undefined => {
    if (!names.has(text) && names.size < NAMED_STATEMENTS_MAX) names.set(text, `partner_${++named}`);
    return names.get(text);
  };
  return (client) => {
    let isBroken = false;
    const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
      // To undo a transaction over it would wait as long again.
      if (isBroken) throw unreachable(undefined, database, 'broken');
      const sent = generation === 0 ? text : `${text} /* ${generation} */`;
      try {
        return await client.query({ name: nameOf(sent), text: sent, values: [...values] });
      } catch (error) {
        isBroken ||= isConnectionLost(error) || text === 'rollback';
        if (isPlanOutdated(error)) {
          generation++;
          names = new Map();
          if (client.getTransactionStatus() === 'I') return query(text, values);
        }
        throw translated(error, database);
      }
    };
    return { query: query as PostgresPoolClient['query'], release: () => client.release(isBroken) };
  };
}

/** pg reads these modes as `verify-full`, and warns that it will not do so for ever. */
function withoutWarning(url: string): string {
  const address = new URL(url);
  const mode = address.searchParams.get('sslmode') ?? '';
  if (['prefer', 'require', 'verify-ca'].includes(mode)) address.searchParams.set('sslmode', 'verify-full');
  return address.href;
}
