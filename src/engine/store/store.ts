import type { Kysely, Transaction } from 'kysely';
import { applicationQueries } from './applications.ts';
import { ledgerQueries } from './billing-ledger.ts';
import { clockQueries } from './clock.ts';
import { companyQueries, keyQueries } from './companies.ts';
import type { DialectName } from './dialect.ts';
import { type DirectFile, directFileOf } from './direct.ts';
import { fileQueries } from './files.ts';
import { createSharedCommits } from './group-commit.ts';
import { idempotencyQueries } from './idempotency.ts';
import { jobQueries } from './jobs.ts';
import { openingQueries } from './openings.ts';
import type { PreparedQueries } from './prepared.ts';
import { sessionQueries } from './sessions.ts';
import type { Tables } from './tables.ts';
import { termsQueries } from './terms.ts';

/** Where queries run: the database or one transaction of it. */
export interface Connection {
  readonly db: Kysely<Tables>;
  readonly dialect: DialectName;
  /** Those of the store, whichever transaction they run in. */
  readonly prepared: PreparedQueries;
  /** The file itself, where there is one and these queries may run on it now. */
  readonly direct: () => DirectFile | undefined;
}

/** The queries, written once for both dialects. */
export interface Queries {
  readonly jobs: ReturnType<typeof jobQueries>;
  readonly openings: ReturnType<typeof openingQueries>;
  readonly companies: ReturnType<typeof companyQueries>;
  readonly keys: ReturnType<typeof keyQueries>;
  readonly applications: ReturnType<typeof applicationQueries>;
  readonly ledger: ReturnType<typeof ledgerQueries>;
  readonly files: ReturnType<typeof fileQueries>;
  readonly idempotency: ReturnType<typeof idempotencyQueries>;
  readonly terms: ReturnType<typeof termsQueries>;
  readonly clock: ReturnType<typeof clockQueries>;
  readonly sessions: ReturnType<typeof sessionQueries>;
}

export interface Store {
  /** Each of these queries stands alone. */
  readonly read: Queries;
  /**
   * Runs `work` in one write transaction: durable when it resolves, undone where it throws. On SQLite the
   * writes that wait at the same time share a commit, and `work` may be run twice: what it does outside
   * the database must stand that.
   */
  write<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Throws DATABASE_UNUSABLE where what is written would be lost: its file was deleted, moved or replaced. */
  assertInPlace(): void;
  /** Empties every table at once, in one transaction with `first`. */
  clear(first?: (queries: Queries) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

// A table is emptied before those that it refers to.
const EMPTYING_ORDER = [
  'idempotency',
  'charges',
  'spends',
  'job_tallies',
  'applications',
  'files',
  'jobs',
  'partner_keys',
  'dashboard_links',
  'dashboard_sessions',
  'companies',
  'terms',
  'engine_clock',
] as const;

type Transact = <T>(work: (transaction: Transaction<Tables>) => Promise<T>) => Promise<T>;

const TRANSACTS: Readonly<Record<DialectName, (db: Kysely<Tables>) => Transact>> = {
  sqlite: createSharedCommits,
  postgres: (db) => (work) => db.transaction().execute(work),
};

/** The store on a migrated database of either dialect; it owns `db` and closes it. */
export function createStore(db: Kysely<Tables>, dialect: DialectName): Store {
  const prepared: PreparedQueries = new Map();
  const transact = TRANSACTS[dialect](db);
  const file = directFileOf(db);
  // What stands alone must not see what a transaction has not committed yet.
  const whileFree = () => (file?.isFree ? file : undefined);
  const within = () => file;
  return {
    read: queriesOn({ db, dialect, prepared, direct: whileFree }),
    write: (work) =>
      transact((transaction) => work(queriesOn({ db: transaction, dialect, prepared, direct: within }))),
    assertInPlace: () => file?.assertInPlace(),
    clear: (first) =>
      db.transaction().execute(async (transaction) => {
        await first?.(queriesOn({ db: transaction, dialect, prepared, direct: within }));
        for (const table of EMPTYING_ORDER) await transaction.deleteFrom(table).execute();
      }),
    close: () => db.destroy(),
  };
}

function queriesOn(connection: Connection): Queries {
  return {
    jobs: jobQueries(connection),
    openings: openingQueries(connection),
    companies: companyQueries(connection),
    keys: keyQueries(connection),
    applications: applicationQueries(connection),
    ledger: ledgerQueries(connection),
    files: fileQueries(connection),
    idempotency: idempotencyQueries(connection),
    terms: termsQueries(connection),
    clock: clockQueries(connection),
    sessions: sessionQueries(connection),
  };
}
