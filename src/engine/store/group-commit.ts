import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { directFileOf } from './connection.ts';
import type { Tables } from './tables.ts';

type Work<T> = (transaction: Transaction<Tables>) => Promise<T>;

interface Waiting {
  readonly work: Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** So many writes share a commit at most: reads and other processes get their turn in between. */
const SHARED_MAX = 64;

const BEGIN_ONE = 'savepoint one_write';
const KEEP_ONE = 'release one_write';
const UNDO_ONE = 'rollback to one_write';

/**
 * Runs write transactions one after another; those that wait at the same time share one commit, because
 * syncing the disk costs more than several writes. Each is still as if alone: what it did is undone where it
 * throws, and it resolves only when it is on the disk. A commit that fails rejects all that share it. Where one
 * of them throws, all are run a second time.
 */
export function createSharedCommits(db: Kysely<Tables>): <T>(work: Work<T>) => Promise<T> {
  const queue: Waiting[] = [];
  let isRunning = false;
  const run = (sql: string): void => void directFileOf(db)?.first(sql, []);

  async function runQueue(): Promise<void> {
    isRunning = true;
    while (queue.length > 0) {
      // Whoever is ready to write by then joins in.
      await nextTurn();
      await commitTogether(db, run, queue.splice(0, SHARED_MAX));
    }
    isRunning = false;
  }

  return <T>(work: Work<T>) =>
    new Promise<T>((resolve, reject) => {
      queue.push({ work, resolve: resolve as Waiting['resolve'], reject });
      if (!isRunning) void runQueue();
    });
}

async function commitTogether(
  db: Kysely<Tables>,
  run: (sql: string) => void,
  batch: readonly Waiting[],
): Promise<void> {
  try {
    const outcomes = await outcomesOf(db, run, batch);
    for (const [index, outcome] of outcomes.entries()) {
      if ('error' in outcome) batch[index]?.reject(outcome.error);
      else batch[index]?.resolve(outcome.value);
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

/** Most works throw nothing: only where one does are all done over, each to be undone by itself. */
async function outcomesOf(
  db: Kysely<Tables>,
  run: (sql: string) => void,
  batch: readonly Waiting[],
): Promise<Outcome[]> {
  let hasThrown = false;
  const plain = async (transaction: Transaction<Tables>, work: Work<unknown>): Promise<Outcome> => {
    try {
      return { value: await work(transaction) };
    } catch (error) {
      hasThrown = true;
      throw error;
    }
  };
  const commit = (runOne: typeof plain): Promise<Outcome[]> =>
    db.transaction().execute(async (transaction) => {
      const outcomes: Outcome[] = [];
      for (const { work } of batch) outcomes.push(await runOne(transaction, work));
      return outcomes;
    });
  try {
    return await commit(plain);
  } catch (error) {
    // A commit that has failed is not tried again: nobody knows what became of it.
    if (!hasThrown || batch.length === 1) throw error;
    return commit((transaction, work) => runWithinSavepoint(transaction, work, run));
  }
}

async function runWithinSavepoint(
  transaction: Transaction<Tables>,
  work: Work<unknown>,
  run: (sql: string) => void,
): Promise<Outcome> {
  run(BEGIN_ONE);
  try {
    const value = await work(transaction);
    run(KEEP_ONE);
    return { value };
  } catch (error) {
    undoOne(run, error);
    return { error };
  }
}

/** Throws `cause` where SQLite has undone the whole transaction already, as it does on a full disk. */
function undoOne(run: (sql: string) => void, cause: unknown): void {
  try {
    run(UNDO_ONE);
    run(KEEP_ONE);
  } catch {
    throw cause;
  }
}
