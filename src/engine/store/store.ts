import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { isoTime } from '../../contract/time.ts';
import { createApplicationQueries } from './applications.ts';
import { createBillingLedgerQueries } from './billing-ledger.ts';
import {
  createCompanyQueries,
  createKeyQueries,
  createSessionQueries,
  createTermsQueries,
} from './companies.ts';
import { type Connection, type DialectName, getDirectFile, getDirectServer } from './connection.ts';
import { createClockQueries, createDatabaseQueries } from './database.ts';
import { createExpiryQueries } from './expiry.ts';
import { createFileQueries } from './files.ts';
import { createGroupCommit } from './group-commit.ts';
import { createIdempotencyQueries } from './idempotency.ts';
import { createJobQueries, createOpeningQueries } from './jobs.ts';
import { schemaVersion } from './migrations.ts';
import type { Tables } from './tables.ts';

export type Queries = ReturnType<typeof createQueries>;

export type PoolReadings = Readonly<Record<'open' | 'idle' | 'waiting' | 'retries', number>>;

type InTransaction = (queries: Queries, db: Kysely<Tables>) => Promise<unknown>;

export interface Store {
  readonly pool?: () => PoolReadings;
  readonly serverTime?: (() => Promise<number | undefined>) | undefined;
  readonly read: Queries;
  /**
   * Runs `work` in one write transaction, durable when the promise resolves and rolled back if it throws. `work` can
   * run more than once, if it shared a commit (`createGroupCommit`) or PostgreSQL reported a conflict.
   */
  write<T>(work: (queries: Queries) => Promise<T>, isSingle?: boolean): Promise<T>;
  assertInPlace(): void;
  readonly dialect: DialectName;
  readonly isTemporary?: boolean;
  schemaVersion(): Promise<number | undefined>;
  /** Changes if a cached key or clock offset may be outdated. On PostgreSQL, only writes of this process change it. */
  version(): number;
  clear(first?: InTransaction, last?: InTransaction): Promise<void>;
  close(): Promise<void>;
}

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
  const file = getDirectFile(db);
  const server = getDirectServer(db);
  const groupCommit = createGroupCommit(db);
  const transact: NonNullable<typeof server>['transact'] =
    server?.transact ??
    ((work) => groupCommit((transaction) => work({ db: transaction, direct: () => file })));
  let version = 0;
  const onChange = () => {
    version++;
  };
  const buildQueries = (on: OnTransaction) => createQueries({ ...on, dialect, prepared, onChange });
  const ofTransactions = new WeakMap<object, Queries>();
  const openQueries = (on: OnTransaction): Queries => {
    const queries = ofTransactions.get(on.db) ?? buildQueries(on);
    ofTransactions.set(on.db, queries);
    return queries;
  };
  let fileVersion: unknown;
  const seeVersion = onceATurn(() => {
    const found = file?.version();
    if (found !== fileVersion) version++;
    fileVersion = found;
  });
  return {
    read: buildQueries({ db, direct: () => server ?? (file?.isFree ? file : undefined) }),
    async write(work, isSingle) {
      const begunAt = version;
      try {
        return await transact((transaction) => work(openQueries(transaction)), isSingle);
      } finally {
        // A value that was read before the commit is outdated. A commit that reports an error may have succeeded.
        if (version !== begunAt) version++;
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
        await first?.(buildQueries(transaction), transaction.db);
        await emptyTables(transaction.db, dialect);
        await last?.(buildQueries(transaction), transaction.db);
      }).finally(onChange),
    close: () => db.destroy(),
  };
}

/** Runs `look` at most once per turn of the event loop. If it throws, the next call runs it again. */
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

/** Tolerated clock difference. Without it, two machines could keep undoing each other's status changes. */
const CLOCKS_DIFFER_MS = 1_000;
/** Maximum number of waits for locked jobs. After that, a list continues without them. */
const WAITS_MAX = 200;
const WAIT_MS = 10;

/** Updates `listed_status` of expired and revived jobs. Returns the time (epoch ms) that lists are correct for. */
export async function settleExpiry(
  { read, write }: Store,
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

/** If `charges` is larger, all tables are truncated, because DELETE would scan it for every job. */
const DELETED_BYTES_MAX = 1024 * 1024;

async function emptyTables(db: Kysely<Tables>, dialect: DialectName): Promise<void> {
  if (dialect === 'postgres') {
    const { rows } = await sql<{ bytes: number }>`select pg_relation_size('charges') as bytes`.execute(db);
    if ((rows[0]?.bytes ?? 0) > DELETED_BYTES_MAX) {
      await sql`truncate ${sql.join(EMPTYING_ORDER.map((table) => sql.table(table)))}`.execute(db);
      return;
    }
  }
  for (const table of EMPTYING_ORDER) await db.deleteFrom(table).execute();
}

function createQueries(connection: Connection) {
  return {
    jobs: createJobQueries(connection),
    openings: createOpeningQueries(connection),
    expiry: createExpiryQueries(connection),
    companies: createCompanyQueries(connection),
    keys: createKeyQueries(connection),
    applications: createApplicationQueries(connection),
    billingLedger: createBillingLedgerQueries(connection),
    files: createFileQueries(connection),
    database: createDatabaseQueries(connection),
    idempotency: createIdempotencyQueries(connection),
    terms: createTermsQueries(connection),
    clock: createClockQueries(connection),
    sessions: createSessionQueries(connection),
  };
}
