import { type Kysely, sql } from 'kysely';
import { applicationQueries } from './applications.ts';
import { billingLedgerQueries } from './billing-ledger.ts';
import { companyQueries, keyQueries, sessionQueries } from './companies.ts';
import { type Connection, type DialectName, directFileOf, directServerOf } from './connection.ts';
import { databaseQueries } from './database.ts';
import { expiryQueries } from './expiry.ts';
import { fileQueries } from './files.ts';
import { createGroupCommit } from './group-commit.ts';
import { idempotencyQueries } from './idempotency.ts';
import { jobQueries, openingQueries } from './jobs.ts';
import { schemaVersion } from './migrations.ts';
import { clockQueries, termsQueries } from './settings.ts';
import type { Tables } from './tables.ts';

export type Queries = ReturnType<typeof queriesOn>;

/** The connections to a server at this moment, and the transactions that were run again since the start. */
export interface PoolReadings {
  readonly open: number;
  readonly idle: number;
  /** Queries that wait for a connection. */
  readonly waiting: number;
  readonly retries: number;
}

type InTransaction = (queries: Queries, db: Kysely<Tables>) => Promise<void>;

export interface Store {
  /** Undefined where there is no server. */
  readonly pool?: () => PoolReadings;
  readonly read: Queries;
  /**
   * One write transaction, durable when it resolves, undone where it throws. `work` may be run more than once: where it
   * shared a commit (`createGroupCommit`), or where PostgreSQL undid it because of another transaction.
   */
  write<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Throws DATABASE_UNUSABLE where the database file was deleted, moved or replaced. */
  assertInPlace(): void;
  readonly dialect: DialectName;
  /** In memory, in place of a database that doesn't exist yet. */
  readonly isTemporary?: boolean;
  /** The version of the schema that the database has now, which another process may have migrated meanwhile. */
  schemaVersion(): Promise<number | undefined>;
  /** Differs from before once keys or the clock may have changed: on SQLite at once, elsewhere only by this process. */
  version(): number;
  /** Empties every table; `first` comes before that and `last` after it, in the same transaction. */
  clear(first?: InTransaction, last?: InTransaction): Promise<void>;
  close(): Promise<void>;
}

// A table is emptied before those that it refers to.
export const EMPTYING_ORDER = [
  'idempotency',
  'charges',
  'charge_days',
  'charge_lines',
  'spends',
  'job_tallies',
  'applications',
  'files',
  'jobs',
  'job_counts',
  'partner_keys',
  'dashboard_links',
  'dashboard_sessions',
  'companies',
  'terms',
  'engine_clock',
] as const;

type OnTransaction = Pick<Connection, 'db' | 'direct'>;

export function createStore(db: Kysely<Tables>, dialect: DialectName): Store {
  const prepared: Connection['prepared'] = new Map();
  const file = directFileOf(db);
  const server = directServerOf(db);
  const groupCommit = createGroupCommit(db);
  const transact: <T>(work: (transaction: OnTransaction) => Promise<T>) => Promise<T> =
    server?.transact ??
    ((work) => groupCommit((transaction) => work({ db: transaction, direct: () => file })));
  const within = (on: OnTransaction, onChange = () => {}) =>
    queriesOn({ ...on, dialect, prepared, onChange });
  /** By the transaction, or the connection, of writes: to make queries takes as long as a short statement. */
  const transactions = new WeakMap<object, { queries: Queries; hasChanged: boolean }>();
  const openedOn = (on: OnTransaction) => {
    const onChange = () => {
      opened.hasChanged = true;
    };
    const opened = transactions.get(on.db) ?? { queries: within(on, onChange), hasChanged: false };
    transactions.set(on.db, opened);
    return opened;
  };
  let version = 0;
  let fileVersion: unknown;
  const seeVersion = onceATurn(() => {
    const found = file?.version();
    if (found !== fileVersion) version++;
    fileVersion = found;
  });
  return {
    read: within({ db, direct: () => server ?? (file?.isFree ? file : undefined) }),
    async write(work) {
      let opened: ReturnType<typeof openedOn> | undefined;
      try {
        return await transact((transaction) => {
          opened = openedOn(transaction);
          // A server's connection is that of one transaction after another.
          if (server !== undefined) opened.hasChanged = false;
          return work(opened.queries);
        });
      } finally {
        // Also where the commit has failed: it may have happened.
        if (opened?.hasChanged) version++;
        if (opened !== undefined) opened.hasChanged = false;
      }
    },
    version() {
      seeVersion();
      return version;
    },
    assertInPlace: onceATurn(() => file?.assertInPlace()),
    dialect,
    schemaVersion: () => schemaVersion(db, dialect),
    clear: (first, last) =>
      transact(async (transaction) => {
        await first?.(within(transaction), transaction.db);
        await emptyTables(transaction.db, dialect);
        await last?.(within(transaction), transaction.db);
      }).finally(() => {
        version++;
      }),
    close: () => db.destroy(),
  };
}

/** Once in each turn of the event loop: what comes in one turn has come at one time. What throws is done again. */
function onceATurn(look: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    look();
    isDone = true;
    setImmediate(() => {
      isDone = false;
    });
  };
}

/** Beyond that a server looks each job up for too long among charges that are deleted, which have no index by job. */
const DELETED_BYTES_MAX = 1024 * 1024;

async function emptyTables(db: Kysely<Tables>, dialect: DialectName): Promise<void> {
  if (dialect === 'postgres') {
    const { rows } = await sql<{ bytes: string }>`select pg_relation_size('charges') as bytes`.execute(db);
    if (Number(rows[0]?.bytes) > DELETED_BYTES_MAX) {
      await sql`truncate ${sql.join(EMPTYING_ORDER.map((table) => sql.table(table)))}`.execute(db);
      return;
    }
  }
  for (const table of EMPTYING_ORDER) await db.deleteFrom(table).execute();
}

function queriesOn(connection: Connection) {
  return {
    jobs: jobQueries(connection),
    openings: openingQueries(connection),
    expiry: expiryQueries(connection),
    companies: companyQueries(connection),
    keys: keyQueries(connection),
    applications: applicationQueries(connection),
    billingLedger: billingLedgerQueries(connection),
    files: fileQueries(connection),
    database: databaseQueries(connection),
    idempotency: idempotencyQueries(connection),
    terms: termsQueries(connection),
    clock: clockQueries(connection),
    sessions: sessionQueries(connection),
  };
}
