import { setImmediate as nextTurn } from 'node:timers/promises';
import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
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

const BEGIN_ONE = CompiledQuery.raw('savepoint one_write');
const KEEP_ONE = CompiledQuery.raw('release one_write');
const UNDO_ONE = CompiledQuery.raw('rollback to one_write');

/**
 * Runs write transactions one after another; those that wait at the same time share one commit, because
 * syncing the disk costs more than several writes. Each is still as if alone: what it did is undone where it
 * throws, and it resolves only when it is on the disk. A commit that fails rejects all that share it.
 */
export function createSharedCommits(db: Kysely<Tables>): <T>(work: Work<T>) => Promise<T> {
  const queue: Waiting[] = [];
  let isRunning = false;

  async function runQueue(): Promise<void> {
    isRunning = true;
    while (queue.length > 0) {
      // Whoever is ready to write by then joins in.
      await nextTurn();
      await commitTogether(db, queue.splice(0, SHARED_MAX));
    }
    isRunning = false;
  }

  return <T>(work: Work<T>) =>
    new Promise<T>((resolve, reject) => {
      queue.push({ work, resolve: resolve as Waiting['resolve'], reject });
      if (!isRunning) void runQueue();
    });
}

async function commitTogether(db: Kysely<Tables>, batch: readonly Waiting[]): Promise<void> {
  const runOne = batch.length === 1 ? runAlone : runWithinSavepoint;
  const outcomes: Outcome[] = [];
  try {
    await db.transaction().execute(async (transaction) => {
      for (const { work } of batch) outcomes.push(await runOne(transaction, work));
    });
  } catch (error) {
    for (const { reject } of batch) reject(error);
    return;
  }
  for (const [index, outcome] of outcomes.entries()) {
    if ('error' in outcome) batch[index]?.reject(outcome.error);
    else batch[index]?.resolve(outcome.value);
  }
}

/** Where the work throws, the transaction does. */
async function runAlone(transaction: Transaction<Tables>, work: Work<unknown>): Promise<Outcome> {
  return { value: await work(transaction) };
}

async function runWithinSavepoint(transaction: Transaction<Tables>, work: Work<unknown>): Promise<Outcome> {
  await transaction.executeQuery(BEGIN_ONE);
  try {
    const value = await work(transaction);
    await transaction.executeQuery(KEEP_ONE);
    return { value };
  } catch (error) {
    await undoOne(transaction, error);
    return { error };
  }
}

/** Throws `cause` where SQLite has undone the whole transaction already, as it does on a full disk. */
async function undoOne(transaction: Transaction<Tables>, cause: unknown): Promise<void> {
  try {
    await transaction.executeQuery(UNDO_ONE);
    await transaction.executeQuery(KEEP_ONE);
  } catch {
    throw cause;
  }
}
