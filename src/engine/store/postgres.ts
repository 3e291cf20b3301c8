import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import { Pool, type PoolClient } from 'pg';
import { databaseName } from './address.ts';
import { DirectKysely } from './connection.ts';
import { migrate } from './migrations.ts';
import { isConnectionLost, isPlanOutdated, translated, unreachable } from './postgres-errors.ts';
import { createServer, type Retries } from './postgres-transactions.ts';
import { createStore, type Store } from './store.ts';

export interface PostgresOptions {
  /** How many connections this process opens at most; 10 where it is left out. */
  readonly connections?: number | undefined;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** The server ends a statement, and a wait for a lock, that takes longer. */
const STATEMENT_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 10_000;
/** For a server that is gone without a word: its own time-outs come first. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
/** A process that stops amid a transaction must not keep its locks. */
const IDLE_IN_TRANSACTION_MS = 30_000;

/** Queries that lists of many values make anew each time must not fill the server's memory. */
const NAMED_STATEMENTS_MAX = 200;

/** Opens the store on a PostgreSQL server, migrated where it is older. Throws DATABASE_UNUSABLE. */
export async function openPostgresStore(url: string, options: PostgresOptions = {}): Promise<Store> {
  return createStore(await openPostgres(serverPool(url, options)), 'postgres');
}

/** Takes the pool over: closing the database ends it. */
export async function openPostgres(pool: PostgresPool, retries?: Retries): Promise<DirectKysely> {
  const db = new DirectKysely(new PostgresDialect({ pool }), createServer(pool, retries));
  try {
    await migrate(db, 'postgres');
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

function serverPool(url: string, { connections = 10 }: PostgresOptions): PostgresPool {
  const pool = new Pool({
    connectionString: withoutWarning(url),
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'partner',
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
        const timeout = pool.totalCount >= connections ? 'busy' : 'silent';
        throw unreachable(error, name, isTimeout ? timeout : undefined);
      }
    },
    end: () => pool.end(),
  };
}

/**
 * Sends statements by name, so that the server parses and plans each once a connection. Between the two, PgBouncer in
 * transaction mode must know prepared statements: 1.21 with `max_prepared_statements` above 0.
 */
function namedStatements(database: string): (client: PoolClient) => PostgresPoolClient {
  let names = new Map<string, string>();
  let named = 0;
  const nameOf = (text: string): string | undefined => {
    if (!names.has(text) && names.size < NAMED_STATEMENTS_MAX) names.set(text, `partner_${++named}`);
    return names.get(text);
  };
  return (client) => {
    let isBroken = false;
    const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
      try {
        return await client.query({ name: nameOf(text), text, values: [...values] });
      } catch (error) {
        isBroken ||= isConnectionLost(error) || text === 'rollback';
        if (isPlanOutdated(error)) {
          names = new Map();
          if (client.getTransactionStatus() === 'I') return query(text, values);
        }
        throw translated(error, database);
      }
    };
    return { query: query as PostgresPoolClient['query'], release: () => client.release(isBroken) };
  };
}

/** pg reads these as `verify-full`, which stays so, and warns that it will not. */
function withoutWarning(url: string): string {
  const address = new URL(url);
  const mode = address.searchParams.get('sslmode') ?? '';
  if (['prefer', 'require', 'verify-ca'].includes(mode)) address.searchParams.set('sslmode', 'verify-full');
  return address.href;
}
